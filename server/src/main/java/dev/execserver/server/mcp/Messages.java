package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;

/** Writes JSON-RPC 2.0 messages, which differ from those of the exec-server protocol by the member {@code jsonrpc}. */
final class Messages {
    /** Code of JSON-RPC for text that is not JSON. */
    static final int PARSE_ERROR = -32700;

    private static final String HEAD = "{\"jsonrpc\":\"2.0\"";

    private Messages() {}

    static MessageBuffer result(RequestId id, JsonWritable result) {
        MessageBuffer out = begun(Optional.of(id));
        out.ascii(",\"result\":");
        MessageEncoder.value(out, result);
        out.write('}');
        return out;
    }

    /** @param id empty if the id could not be read */
    static MessageBuffer error(Optional<RequestId> id, RpcException error) {
        MessageBuffer out = begun(id);
        out.ascii(",\"error\":");
        MessageEncoder.errorObject(out, error);
        out.write('}');
        return out;
    }

    static MessageBuffer notification(String method, JsonWritable params) {
        MessageBuffer out = new MessageBuffer();
        out.ascii(HEAD);
        call(out, method, params);
        return out;
    }

    static MessageBuffer request(long id, String method, JsonWritable params) {
        MessageBuffer out = begun(Optional.of(RequestId.of(id)));
        call(out, method, params);
        return out;
    }

    private static void call(MessageBuffer out, String method, JsonWritable params) {
        out.ascii(",\"method\":");
        out.string(method);
        out.ascii(",\"params\":");
        MessageEncoder.value(out, params);
        out.write('}');
    }

    private static MessageBuffer begun(Optional<RequestId> id) {
        MessageBuffer out = new MessageBuffer();
        out.ascii(HEAD);
        out.ascii(",\"id\":");
        if (id.isEmpty()) {
            out.ascii("null");
        } else {
            switch (id.get()) {
                case RequestId.Text text -> out.string(text.value());
                case RequestId.Number number -> out.number(number.value());
                case RequestId.Unknown _ -> out.ascii("null");
            }
        }
        return out;
    }
}
