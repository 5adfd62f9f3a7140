package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;

/** Reads ids of requests that are values of members. */
final class RequestIds {
    private RequestIds() {}

    /** Returns the id; empty if the value is neither a string nor an integer. */
    static Optional<RequestId> read(JsonSlice value) {
        ParamsReader in = ParamsReader.of(JsonSlice.of("{\"id\":" + value + "}"), "RequestId");
        try {
            boolean _ = in.next();
            return Optional.of(value.toString().startsWith("\"") ? RequestId.of(in.string()) : RequestId.of(in.i64()));
        } catch (RpcException e) {
            return Optional.empty();
        }
    }
}
