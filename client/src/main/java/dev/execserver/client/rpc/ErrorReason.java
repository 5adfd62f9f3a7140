package dev.execserver.client.rpc;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcError;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;

/** The member {@code reason} in the data of an error; data of any other shape has none. */
final class ErrorReason {

    private ErrorReason() {}

    static Optional<String> of(RpcError error) {
        try {
            return error.data().flatMap(ErrorReason::read);
        } catch (RpcException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> read(JsonSlice data) {
        ParamsReader in = ParamsReader.of(data, "data");
        Optional<String> reason = Optional.empty();
        while (in.next()) {
            if (in.name().equals("reason")) {
                reason = in.stringOrNull();
            }
        }
        return reason;
    }
}
