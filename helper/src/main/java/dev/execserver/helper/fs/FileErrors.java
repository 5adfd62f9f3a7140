package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;

/** Which error a client is told when a system call on a file fails. Stateless. */
public final class FileErrors {

    private FileErrors() {}

    /**
     * The text is that of the operating system alone, as clients know it; what failed on which object is in the data.
     * ENOENT is "not found", a lack of permission is an invalid request, everything else an internal error.
     */
    public static RpcException of(LinuxException e) {
        int code = switch (e.errno()) {
            case Errno.ENOENT -> ErrorCodes.NOT_FOUND;
            case Errno.EACCES, Errno.EPERM -> ErrorCodes.INVALID_REQUEST;
            default -> ErrorCodes.INTERNAL;
        };
        return RpcException.of(code, Errno.text(e.errno()))
                .withData("errno", e.errno())
                .withData("call", e.call())
                .withData("path", e.object());
    }
}
