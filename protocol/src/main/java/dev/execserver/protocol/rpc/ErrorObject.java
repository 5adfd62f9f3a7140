package dev.execserver.protocol.rpc;

import java.util.Optional;

/** Reads the error object of an answer. */
final class ErrorObject {

    private ErrorObject() {}

    /** Errors are those of {@link ParamsReader}. */
    static RpcError read(JsonSlice error) {
        ParamsReader in = ParamsReader.of(error, "JSONRPCErrorError");
        Long code = null;
        String message = null;
        Optional<JsonSlice> data = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "code" -> code = in.i64();
                case "message" -> message = in.string();
                case "data" -> data = in.sliceOrNull();
                default -> {}
            }
        }
        int number = Math.clamp(in.required("code", code), Integer.MIN_VALUE, Integer.MAX_VALUE);
        return new RpcError(number, in.required("message", message), data);
    }
}
