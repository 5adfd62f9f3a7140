package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.EnvelopeDecoder;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.JsonRpcMessage;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads what a client sends: one message, or an array of them, which clients of 2025-03-26 may send. */
public final class Incoming {
    /** Largest number of messages in an array. */
    static final int MAX_BATCH = 100;

    /** Longest id of a request in characters; the answer repeats it. */
    static final int MAX_ID_CHARS = 1_024;

    private Incoming() {}

    /** @throws RpcException -32700 if the text is not JSON, -32600 if it is JSON but no message */
    public static List<JsonRpcMessage> read(byte[] text) {
        String shown = new String(text, StandardCharsets.UTF_8).stripLeading();
        if (!shown.startsWith("[")) {
            return List.of(message(text));
        }
        List<JsonRpcMessage> messages = new ArrayList<>();
        List<JsonSlice> elements = elements(shown);
        if (elements.isEmpty() || elements.size() > MAX_BATCH) {
            throw RpcException.invalidRequest("an array must have 1 to " + MAX_BATCH + " messages");
        }
        for (JsonSlice element : elements) {
            messages.add(message(element.toString().getBytes(StandardCharsets.UTF_8)));
        }
        return messages;
    }

    private static JsonRpcMessage message(byte[] text) {
        try {
            JsonRpcMessage message = EnvelopeDecoder.decode(text, 0, text.length);
            if (message instanceof Request request
                    && request.id() instanceof RequestId.Text(String id)
                    && id.length() > MAX_ID_CHARS) {
                throw RpcException.invalidRequest("the id is longer than " + MAX_ID_CHARS + " characters");
            }
            return message;
        } catch (MalformedMessageException e) {
            throw refused(text, e);
        }
    }

    private static RpcException refused(byte[] text, MalformedMessageException why) {
        try {
            JsonSlice.parse(text, 0, text.length);
            return RpcException.invalidRequest("invalid request: " + why.getMessage());
        } catch (MalformedMessageException e) {
            return RpcException.of(Messages.PARSE_ERROR, "parse error: " + e.getMessage());
        }
    }

    private static List<JsonSlice> elements(String array) {
        byte[] text = ("{\"batch\":" + array + "}").getBytes(StandardCharsets.UTF_8);
        try {
            JsonSlice whole = JsonSlice.parse(text, 0, text.length);
            ParamsReader in = ParamsReader.of(whole, "Batch");
            boolean _ = in.next();
            return in.slices();
        } catch (MalformedMessageException e) {
            throw RpcException.of(Messages.PARSE_ERROR, "parse error: " + e.getMessage());
        } catch (RpcException e) {
            throw RpcException.of(ErrorCodes.INVALID_REQUEST, e.message());
        }
    }
}
