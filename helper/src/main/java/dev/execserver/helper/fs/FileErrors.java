package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Map;

/** Translates a failed system call on a file into the error that the client gets. Stateless. */
public final class FileErrors {

    private static final int ENAMETOOLONG = 36;

    /** Texts of the reference server that clients know; its C library words them differently. */
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
     * Returns the error for a failed call. The message is the bare text of the operating system, as clients know it;
     * call and path are in the data. ENOENT becomes "not found"; EACCES, EPERM and EINVAL become an invalid request;
     * the rest an internal error.
     */
    public static RpcException of(LinuxException e) {
        RpcException error = RpcException.of(code(e.errno()), text(e.errno()))
                .withData("errno", e.errno())
                .withData("call", e.call());
        // The number of a descriptor means nothing to a client.
        return e.object().startsWith("/") ? error.withData("path", e.object()) : error;
    }

    /** Does the same as {@link #of(LinuxException)} for a call that may have known only a name or a descriptor. */
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

    /** Returns a text such as {@code No such file or directory (os error 2)}. */
    static String text(int errno) {
        String text = REFERENCE_TEXTS.get(errno);
        return text == null ? Errno.text(errno) : text + " (os error " + errno + ")";
    }

    /** Returns the error for a directory, device, pipe or socket where only a regular file is allowed. */
    static RpcException notAFile(byte[] path) {
        return ProtectedPlaces.explanation(path)
                .orElseGet(() -> RpcException.invalidRequest("path `" + Paths.display(path) + "` is not a file"));
    }
}
