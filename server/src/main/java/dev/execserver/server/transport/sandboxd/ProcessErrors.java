package dev.execserver.server.transport.sandboxd;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.ErrorData;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.server.transport.exec.CommandRefusal;
import dev.execserver.server.transport.grpc.GrpcCode;
import dev.execserver.server.transport.grpc.GrpcException;
import java.util.Map;

/** Translates errors of commands into the status codes of calls. Stateless. */
final class ProcessErrors {
    private static final int UNPROCESSABLE = 422;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final int BAD_REQUEST = 400;

    private ProcessErrors() {}

    /** Returns the status for a command that was not started. */
    static GrpcCode ofStart(CommandRefusal refusal) {
        return switch (refusal.status().code()) {
            case UNPROCESSABLE -> ofErrno(refusal.errno().orElse(0));
            case FORBIDDEN -> GrpcCode.PERMISSION_DENIED;
            case UNAVAILABLE ->
                "shuttingDown".equals(data(refusal.error()).get("reason"))
                        ? GrpcCode.UNAVAILABLE
                        : GrpcCode.RESOURCE_EXHAUSTED;
            case BAD_REQUEST -> GrpcCode.INVALID_ARGUMENT;
            default -> GrpcCode.INTERNAL;
        };
    }

    private static GrpcCode ofErrno(long errno) {
        if (errno == Errno.ENOENT || errno == Errno.ENOTDIR) {
            return GrpcCode.NOT_FOUND;
        }
        return errno == Errno.EACCES || errno == Errno.EPERM
                ? GrpcCode.PERMISSION_DENIED
                : GrpcCode.FAILED_PRECONDITION;
    }

    /** Translates an error of a command that runs. */
    static GrpcException of(RpcException error) {
        GrpcCode code = error.code() == ErrorCodes.INTERNAL ? GrpcCode.INTERNAL : GrpcCode.FAILED_PRECONDITION;
        return new GrpcException(code, error.message());
    }

    private static Map<String, Object> data(RpcException error) {
        return error.data().map(ErrorData::members).orElse(Map.of());
    }
}
