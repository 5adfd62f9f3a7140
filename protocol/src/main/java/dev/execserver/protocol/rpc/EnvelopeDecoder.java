package dev.execserver.protocol.rpc;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decodes the envelope of a message in one pass, which also checks syntax and limits of everything inside. The reader
 * thread of a connection calls it; an instance lives for one message.
 *
 * <p>A message is an object. {@code method} makes it a request (with {@code id}) or a notification (without), whatever
 * else it has; otherwise {@code result} or {@code error} make it an answer. Ids are strings or signed 64-bit integers.
 * {@code jsonrpc} and unknown members are ignored. {@code trace} of a request must be well-typed; one that is not valid is ignored. The
 * caller checks that the message is UTF-8; invalid bytes are harmless here and become U+FFFD.
 */
public final class EnvelopeDecoder {

    /** Most JSON values in a message: every scalar, array and object counts, including the root. */
    public static final int MAX_VALUES = 262_144;

    /** Deepest nesting of arrays and objects, including the root. */
    public static final int MAX_DEPTH = 127;

    private static final String BAD_ID = "data did not match any variant of untagged enum RequestId";

    private final JsonSlice whole;
    private final JsonScanner scanner;
    private final JsonWalker walker;

    private boolean hasId;
    private Optional<RequestId> id = Optional.empty();
    private boolean hasMethod;
    private String method;
    private String typeError;
    private Optional<TraceContext> trace = Optional.empty();
    private String traceError;
    private JsonSlice params = JsonSlice.NULL;
    private JsonSlice result;
    private JsonSlice error;
    private Optional<JsonSlice> warnings = Optional.empty();

    private EnvelopeDecoder(JsonSlice whole, int maxValues) {
        this.whole = whole;
        this.scanner = whole.scanner();
        this.walker = new JsonWalker(scanner, maxValues);
    }

    /**
     * Decodes the message in a range of bytes. Slices of the message refer to {@code buffer}.
     *
     * @throws MalformedMessageException when the bytes are not an envelope; the text has no prefix of the transport
     */
    public static JsonRpcMessage decode(byte[] buffer, int offset, int length) throws MalformedMessageException {
        return new EnvelopeDecoder(JsonSlice.of(buffer, offset, length), MAX_VALUES).message();
    }

    /** Does the same for a received message. */
    public static JsonRpcMessage decode(ReceivedMessage message) throws MalformedMessageException {
        byte[] text = message.text();
        return new EnvelopeDecoder(new JsonSlice(text, 0, text.length, message.longStrings()), MAX_VALUES).message();
    }

    /**
     * Does the same for a client that receives what it requested, such as the entries of a large directory: without a
     * limit for the number of values.
     *
     * @throws MalformedMessageException as {@link #decode}
     */
    public static JsonRpcMessage decodeOfServer(byte[] message) throws MalformedMessageException {
        return new EnvelopeDecoder(JsonSlice.of(message, 0, message.length), Integer.MAX_VALUE).message();
    }

    private JsonRpcMessage message() throws MalformedMessageException {
        boolean object = walker.next() == JsonToken.START_OBJECT;
        if (object) {
            members();
        } else {
            walker.skipValue();
        }
        // Throws if other characters follow the root.
        walker.next();
        if (!object) {
            throw new MalformedMessageException("expected a JSON-RPC object");
        }
        return assemble();
    }

    private void members() throws MalformedMessageException {
        while (walker.next() == JsonToken.NAME) {
            String name = walker.name();
            JsonToken value = walker.next();
            switch (name) {
                case "id" -> readId(value);
                case "method" -> readMethod(value);
                case "trace" -> readTrace(value);
                case "params" -> params = slice();
                case "result" -> result = slice();
                case "error" -> error = slice();
                case "warnings" -> warnings = Optional.of(slice());
                default -> walker.skipValue();
            }
        }
    }

    private JsonSlice slice() throws MalformedMessageException {
        int start = scanner.start();
        walker.skipValue();
        return whole.sibling(start, scanner.end());
    }

    private void readId(JsonToken value) throws MalformedMessageException {
        hasId = true;
        if (value == JsonToken.STRING) {
            id = Optional.of(RequestId.of(scanner.text()));
        } else if (value == JsonToken.INTEGER) {
            OptionalLong number = JsonNumbers.signed(scanner.text());
            id = number.isPresent() ? Optional.of(RequestId.of(number.getAsLong())) : Optional.empty();
        } else {
            walker.skipValue();
        }
    }

    private void readMethod(JsonToken value) throws MalformedMessageException {
        hasMethod = true;
        if (value == JsonToken.STRING) {
            method = scanner.text();
        } else {
            typeError = "invalid type: " + typeName(value) + ", expected a string";
            walker.skipValue();
        }
    }

    /** Reads {@code {"traceparent"?: string, "tracestate"?: string}}. Each member and the whole may be null. */
    private void readTrace(JsonToken value) throws MalformedMessageException {
        if (value != JsonToken.START_OBJECT) {
            if (value != JsonToken.NULL) {
                traceError = "invalid type: " + typeName(value) + ", expected struct W3cTraceContext";
            }
            walker.skipValue();
            return;
        }
        while (walker.next() == JsonToken.NAME) {
            String name = walker.name();
            JsonToken member = walker.next();
            boolean typed = name.equals("traceparent") || name.equals("tracestate");
            if (typed && member != JsonToken.STRING && member != JsonToken.NULL) {
                traceError = "invalid type: " + typeName(member) + ", expected a string";
            }
            if (name.equals("traceparent") && member == JsonToken.STRING) {
                trace = TraceContext.parse(scanner.text());
                continue;
            }
            walker.skipValue();
        }
    }

    private JsonRpcMessage assemble() throws MalformedMessageException {
        if (hasId && id.isEmpty()) {
            throw new MalformedMessageException(BAD_ID);
        }
        if (hasMethod) {
            if (typeError != null) {
                throw new MalformedMessageException(typeError);
            }
            if (hasId && traceError != null) { // ignored in a notification
                throw new MalformedMessageException(traceError);
            }
            return hasId
                    ? new Request(id.orElseThrow(), method, params, trace, walker.values())
                    : new Notification(method, params);
        }
        if (result == null && error == null) {
            throw missing("error");
        }
        RequestId answered = id.orElseThrow(() -> missing("id"));
        return result != null ? new Response(answered, result, warnings) : new ErrorResponse(answered, errorObject());
    }

    private RpcError errorObject() throws MalformedMessageException {
        try {
            return ErrorObject.read(error);
        } catch (RpcException e) {
            throw new MalformedMessageException(e.message());
        }
    }

    private static MalformedMessageException missing(String member) {
        return new MalformedMessageException("missing field `" + member + "`");
    }

    private static String typeName(JsonToken token) {
        return switch (token) {
            case NULL -> "null";
            case TRUE, FALSE -> "boolean";
            case INTEGER, FRACTION -> "number";
            case STRING -> "string";
            case START_ARRAY -> "array";
            default -> "object";
        };
    }
}
