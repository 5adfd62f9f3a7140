package dev.execserver.server.app;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.ErrorData;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import java.util.Map;

/** Translates errors of the process layer to those of the app-server dialect. Stateless. */
final class CommandErrors {

    private CommandErrors() {}

    /** Returns true if this is the reason in the error's data. */
    static boolean reason(RpcException e, String reason) {
        return reason.equals(data(e).get("reason"));
    }

    private static Map<String, Object> data(RpcException e) {
        return e.data().map(ErrorData::members).orElse(Map.of());
    }

    /** Translates the error of a start. */
    static RpcException ofStart(CommandSpec spec, RpcException e) {
        if (data(e).get("errno") instanceof Long errno && data(e).containsKey("what")) {
            return spec.words().notStarted(Errno.text(errno.intValue()));
        }
        if (reason(e, "profile")) {
            return RpcException.invalidRequest(e.message());
        }
        if (reason(e, "networkProxy")) {
            return RpcException.internal("failed to start managed " + e.message());
        }
        if (reason(e, "sandboxFloor")) {
            return RpcException.invalidRequest("invalid sandbox policy: " + e.message());
        }
        return e.code() == ErrorCodes.INVALID_PARAMS ? RpcException.internal("exec failed: " + e.message()) : e;
    }
}
