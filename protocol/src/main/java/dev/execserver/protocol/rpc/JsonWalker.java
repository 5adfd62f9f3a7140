package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * The tokens of one message, each checked against the limits that hold for a message as a whole: number of values,
 * nesting, no member name twice in an object. Strings are stepped over without being decoded. One message, one thread.
 */
final class JsonWalker {

    private final byte[] buffer;
    private final int offset;
    private final JsonParser parser;
    private final MemberNames names = new MemberNames();
    private int values;
    private int depth;

    JsonWalker(JsonParser parser, byte[] buffer, int offset) {
        this.parser = parser;
        this.buffer = buffer;
        this.offset = offset;
    }

    JsonParser parser() {
        return parser;
    }

    /** The next token; null only before the first value of an empty message and after the root value. */
    JsonToken next() throws IOException, MalformedMessageException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            return null;
        }
        switch (token) {
            case START_OBJECT -> {
                enter();
                names.enterObject();
            }
            case START_ARRAY -> enter();
            case END_OBJECT -> {
                depth--;
                names.leaveObject();
            }
            case END_ARRAY -> depth--;
            case FIELD_NAME -> {
                if (!names.add(parser.currentName())) {
                    throw duplicate(parser.currentName());
                }
            }
            default -> count();
        }
        return token;
    }

    /** From the first token of a value to its last one. */
    void skipValue() throws IOException, MalformedMessageException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
            int outside = depth - 1;
            while (depth > outside) {
                next();
            }
        }
    }

    /** Offset in the buffer of the first byte of the current token. */
    int tokenStart() {
        return offset + (int) parser.currentTokenLocation().getByteOffset();
    }

    /** Offset in the buffer behind the current token; exact for closing brackets and scalars outside of objects. */
    int tokenEnd() {
        return offset + (int) parser.currentLocation().getByteOffset();
    }

    private void enter() throws MalformedMessageException {
        if (++depth > EnvelopeDecoder.MAX_DEPTH) {
            throw at("recursion limit exceeded", tokenEnd());
        }
        count();
    }

    private void count() throws MalformedMessageException {
        if (++values > EnvelopeDecoder.MAX_VALUES) {
            throw at(
                    "JSON-RPC message exceeds the limit of " + EnvelopeDecoder.MAX_VALUES + " JSON values", tokenEnd());
        }
    }

    /** The place is behind the closing quote of the second name; the parser itself is already past the colon. */
    private MalformedMessageException duplicate(String name) {
        int end = tokenStart() + 1;
        while (buffer[end] != '"') {
            end += buffer[end] == '\\' ? 2 : 1;
        }
        return at("duplicate JSON object key `" + name + "`", end + 1);
    }

    private MalformedMessageException at(String text, int end) {
        return new MalformedMessageException(text + TextPosition.after(buffer, offset, end - offset));
    }
}
