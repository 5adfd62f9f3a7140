package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Map;

/** Which error a client is told when a system call on a file fails. Stateless. */
public final class FileErrors {

    private static final int ENAMETOOLONG = 36;

    /** Texts that clients know from the reference, whose C library words them differently. */
    private static final Map<Integer, String> REFERENCE_TEXTS = Map.of(
            Errno.EIO,
            "I/O error",
            Errno.EBUSY,
            "Resource busy",
            Errno.EXDEV,
            "Cross-device link",
            ENAMETOOLONG,
            "Filename too long",
            Errno.ELOOP,
            "Symbolic link loop");

    private FileErrors() {}

    /**
     * The text is that of the operating system alone, as clients know it; what failed on which object is in the data.
     * ENOENT is "not found", a lack of permission and an invalid argument are an invalid request, everything else an
     * internal error.
     */
    public static RpcException of(LinuxException e) {
        RpcException error = RpcException.of(code(e.errno()), text(e.errno()))
                .withData("errno", e.errno())
                .withData("call", e.call());
        // A descriptor's number means nothing to a client.
        return e.object().startsWith("/") ? error.withData("path", e.object()) : error;
    }

    /** As {@link #of(LinuxException)} for a call that may have known only a name or a descriptor. */
    static RpcException of(LinuxException e, String path) {
        return of(e.object().startsWith("/") ? e : new LinuxException(e.call(), path, e.errno()));
    }

    private static int code(int errno) {
        return switch (errno) {
            case Errno.ENOENT -> ErrorCodes.NOT_FOUND;
            case Errno.EACCES, Errno.EPERM, Errno.EINVAL -> ErrorCodes.INVALID_REQUEST;
            default -> ErrorCodes.INTERNAL;
        };
    }

    /** {@code No such file or directory (os error 2)}. */
    static String text(int errno) {
        String text = REFERENCE_TEXTS.get(errno);
        return text == null ? Errno.text(errno) : text + " (os error " + errno + ")";
    }

    /** The refusal of directories, devices, pipes and sockets where only a regular file will do. */
    static RpcException notAFile(byte[] path) {
        return SandboxPlaces.explanation(path)
                .orElseGet(() -> RpcException.invalidRequest("path `" + Paths.display(path) + "` is not a file"));
    }
}
