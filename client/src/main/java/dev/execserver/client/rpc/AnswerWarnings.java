package dev.execserver.client.rpc;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcError;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;

/** Reads the warnings of an answer (docs/configuration.md, {@code --strict-members}). Those of an unknown form are none. */
final class AnswerWarnings {

    private AnswerWarnings() {}

    static List<String> of(JsonSlice warnings) {
        try {
            return warnings.strings();
        } catch (RpcException e) {
            return List.of();
        }
    }

    static List<String> of(RpcError error) {
        return ErrorDetails.of(error).warnings().map(List::of).orElse(List.of());
    }
}
