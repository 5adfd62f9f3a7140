package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Reads the envelope of a message in one pass that also checks the syntax and the limits of everything inside it.
 * Called by the reader thread of a connection; an instance lives for one message.
 *
 * <p>Rules of the envelope: an object; {@code method} makes it a request (with {@code id}) or a notification (without),
 * whatever else it has; otherwise {@code result} or {@code error} make it an answer. Ids are strings or signed 64-bit
 * integers. {@code jsonrpc} and unknown members are ignored. {@code trace} of a request must be well-typed and is not
 * used. That the message is UTF-8 is checked by the transport; bad bytes in names and in strings read here are refused.
 */
public final class EnvelopeDecoder {

    /** Largest number of JSON values in a message: every scalar, array and object counts, the root included. */
    public static final int MAX_VALUES = 262_144;

    /** Deepest nesting of arrays and objects, the root included. */
    public static final int MAX_DEPTH = 127;

    private static final String BAD_ID = "data did not match any variant of untagged enum RequestId";

    private final byte[] buffer;
    private final int offset;
    private final int length;
    private final JsonWalker walker;

    private boolean hasId;
    private Optional<RequestId> id = Optional.empty();
    private boolean hasMethod;
    private String method;
    private String typeError;
    private String traceError;
    private JsonSlice params = JsonSlice.NULL;
    private JsonSlice result;
    private JsonSlice error;

    private EnvelopeDecoder(JsonParser parser, byte[] buffer, int offset, int length) {
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.walker = new JsonWalker(parser, buffer, offset);
    }

    /**
     * The message in a range of bytes; slices in it refer to {@code buffer}.
     *
     * @throws MalformedMessageException when the bytes are not an envelope; the text has no prefix of the transport
     */
    public static JsonRpcMessage decode(byte[] buffer, int offset, int length) throws MalformedMessageException {
        refuseOtherEncodings(buffer, offset, length);
        try (JsonParser parser = Json.FACTORY.createParser(buffer, offset, length)) {
            try {
                return new EnvelopeDecoder(parser, buffer, offset, length).message();
            } catch (JsonProcessingException e) {
                throw SyntaxErrors.malformed(e, parser, buffer, offset, length);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
    }

    /** The parser would guess UTF-16 or UTF-32 from a byte order mark or from NUL bytes at the start. */
    private static void refuseOtherEncodings(byte[] buffer, int offset, int length) throws MalformedMessageException {
        for (int i = 0; i < Math.min(length, 4); i++) {
            byte b = buffer[offset + i];
            if (b == 0 || (i == 0 && b < 0)) {
                throw new MalformedMessageException("expected value" + TextPosition.after(buffer, offset, i + 1));
            }
        }
    }

    private JsonRpcMessage message() throws IOException, MalformedMessageException {
        JsonToken root = walker.next();
        if (root == null) {
            throw new MalformedMessageException(
                    "EOF while parsing a value" + TextPosition.after(buffer, offset, length));
        }
        if (root != JsonToken.START_OBJECT) {
            walker.skipValue();
            // Completes a scalar, which the parser reads lazily, and finds what follows.
            walker.next();
            throw new MalformedMessageException("expected a JSON-RPC object");
        }
        members();
        refuseTrailing(walker.tokenEnd());
        return assemble();
    }

    private void members() throws IOException, MalformedMessageException {
        JsonToken token = walker.next();
        while (token == JsonToken.FIELD_NAME) {
            String name = walker.parser().currentName();
            JsonToken value = walker.next();
            switch (name) {
                case "id" -> readId(value);
                case "method" -> readMethod(value);
                case "trace" -> readTrace(value);
                case "params", "result", "error" -> {
                    int start = walker.tokenStart();
                    walker.skipValue();
                    token = walker.next();
                    keep(name, new JsonSlice(buffer, start, valueEnd(start, walker.tokenStart()) - start));
                    continue;
                }
                default -> walker.skipValue();
            }
            token = walker.next();
        }
    }

    private void keep(String name, JsonSlice value) {
        switch (name) {
            case "params" -> params = value;
            case "result" -> result = value;
            default -> error = value;
        }
    }

    /** Back from the token behind a value, over white space and at most one comma, to the end of the value. */
    private int valueEnd(int start, int nextToken) {
        int end = nextToken;
        while (end > start && (SyntaxErrors.isSpace(buffer[end - 1]) || buffer[end - 1] == ',')) {
            end--;
        }
        return end;
    }

    private void readId(JsonToken value) throws IOException, MalformedMessageException {
        hasId = true;
        JsonParser parser = walker.parser();
        if (value == JsonToken.VALUE_STRING) {
            id = Optional.of(RequestId.of(parser.getText()));
        } else if (value == JsonToken.VALUE_NUMBER_INT && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            id = Optional.of(RequestId.of(parser.getLongValue()));
        } else {
            walker.skipValue();
        }
    }

    private void readMethod(JsonToken value) throws IOException, MalformedMessageException {
        hasMethod = true;
        if (value == JsonToken.VALUE_STRING) {
            method = walker.parser().getText();
        } else {
            typeError = "invalid type: " + typeName(value) + ", expected a string";
            walker.skipValue();
        }
    }

    /** {@code {"traceparent"?: string, "tracestate"?: string}}, each of them and the whole may be null. */
    private void readTrace(JsonToken value) throws IOException, MalformedMessageException {
        if (value != JsonToken.START_OBJECT) {
            if (value != JsonToken.VALUE_NULL) {
                traceError = "invalid type: " + typeName(value) + ", expected struct W3cTraceContext";
            }
            walker.skipValue();
            return;
        }
        while (walker.next() == JsonToken.FIELD_NAME) {
            String name = walker.parser().currentName();
            JsonToken member = walker.next();
            boolean typed = name.equals("traceparent") || name.equals("tracestate");
            if (typed && member != JsonToken.VALUE_STRING && member != JsonToken.VALUE_NULL) {
                traceError = "invalid type: " + typeName(member) + ", expected a string";
            }
            walker.skipValue();
        }
    }

    private JsonRpcMessage assemble() throws IOException, MalformedMessageException {
        if (hasId && id.isEmpty()) {
            throw new MalformedMessageException(BAD_ID);
        }
        if (hasMethod) {
            if (typeError != null || traceError != null) {
                throw new MalformedMessageException(typeError != null ? typeError : traceError);
            }
            return hasId ? new Request(id.orElseThrow(), method, params) : new Notification(method, params);
        }
        if (result == null && error == null) {
            throw missing("error");
        }
        RequestId answered = id.orElseThrow(() -> missing("id"));
        return result != null ? new Response(answered, result) : new ErrorResponse(answered, errorObject());
    }

    private RpcError errorObject() throws MalformedMessageException {
        try {
            return ErrorObject.read(error);
        } catch (RpcException e) {
            throw new MalformedMessageException(e.message());
        }
    }

    private void refuseTrailing(int end) throws MalformedMessageException {
        for (int i = end; i < offset + length; i++) {
            if (!SyntaxErrors.isSpace(buffer[i])) {
                throw new MalformedMessageException(
                        "trailing characters" + TextPosition.after(buffer, offset, i + 1 - offset));
            }
        }
    }

    private static MalformedMessageException missing(String member) {
        return new MalformedMessageException("missing field `" + member + "`");
    }

    private static String typeName(JsonToken token) {
        return switch (token) {
            case VALUE_NULL -> "null";
            case VALUE_TRUE, VALUE_FALSE -> "boolean";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "number";
            case VALUE_STRING -> "string";
            case START_ARRAY -> "array";
            default -> "object";
        };
    }
}
