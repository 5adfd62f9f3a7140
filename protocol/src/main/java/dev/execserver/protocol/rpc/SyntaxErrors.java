package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;

/** Words for what the parser refuses, close to those of the reference; only their code matters to clients. */
final class SyntaxErrors {

    private SyntaxErrors() {}

    static MalformedMessageException malformed(
            JsonProcessingException e, JsonParser parser, byte[] buffer, int offset, int length) {
        if (e instanceof JsonEOFException eof) {
            return new MalformedMessageException(
                    "EOF while parsing " + unfinished(eof, parser) + TextPosition.after(buffer, offset, length));
        }
        long place = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
        // The parser reports places of bad bytes inconsistently, one before or behind; never point outside.
        int consumed = (int) Math.clamp(place + 1, 0L, length);
        return new MalformedMessageException(
                text(e, parser, buffer, offset, length) + TextPosition.after(buffer, offset, consumed));
    }

    private static String text(JsonProcessingException e, JsonParser parser, byte[] buffer, int offset, int length) {
        if (e instanceof StreamConstraintsException) {
            return e.getOriginalMessage();
        }
        boolean nothingYet =
                parser.currentToken() == null && parser.getParsingContext().inRoot();
        return nothingYet && !startsValue(buffer, offset, length)
                ? "expected value"
                : "invalid JSON: " + e.getOriginalMessage();
    }

    private static boolean startsValue(byte[] buffer, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (!isSpace(buffer[i])) {
                return "{[\"-0123456789tfn".indexOf(buffer[i]) >= 0;
            }
        }
        return false;
    }

    private static String unfinished(JsonEOFException eof, JsonParser parser) {
        JsonToken token = eof.getTokenBeingDecoded();
        if (token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME) {
            return "a string";
        }
        if (parser.getParsingContext().inArray()) {
            return "a list";
        }
        return parser.getParsingContext().inObject() ? "an object" : "a value";
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }
}
