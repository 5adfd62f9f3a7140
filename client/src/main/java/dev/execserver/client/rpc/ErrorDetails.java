package dev.execserver.client.rpc;

import dev.execserver.client.error.RequestFailedException.Details;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcError;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the data of an error. Data of an unknown form gives no details. */
final class ErrorDetails {

    private ErrorDetails() {}

    static Details of(RpcError error) {
        try {
            return error.data().map(ErrorDetails::read).orElse(Details.NONE);
        } catch (RpcException e) {
            return Details.NONE;
        }
    }

    private static Details read(JsonSlice data) {
        ParamsReader in = ParamsReader.of(data, "data");
        Optional<String> reason = Optional.empty();
        Optional<String> what = Optional.empty();
        Optional<String> path = Optional.empty();
        Optional<String> warnings = Optional.empty();
        OptionalInt errno = OptionalInt.empty();
        while (in.next()) {
            switch (in.name()) {
                case "reason" -> reason = in.stringOrNull();
                case "what" -> what = in.stringOrNull();
                case "path" -> path = in.stringOrNull();
                case "warnings" -> warnings = in.stringOrNull();
                case "errno" -> errno = in.i32OrNull();
                default -> {
                    // Ignore unknown members.
                }
            }
        }
        return new Details(reason, errno, what, path, warnings);
    }
}
