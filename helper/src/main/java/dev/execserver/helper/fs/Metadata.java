package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.MetadataResult;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** {@code fs/getMetadata}. Stateless. */
public final class Metadata {

    private Metadata() {}

    /**
     * Type, size and times of a file: those of the target when the path is a symbolic link.
     *
     * @param followSymlinks false refuses a path with a symbolic link anywhere in it
     * @throws RpcException -32004 when there is no such file, -32600 without permission or for a refused link
     */
    public static MetadataResult read(byte[] path, boolean followSymlinks) {
        try {
            if (!followSymlinks) {
                refuseLinks(path);
            }
            FileStatus own = FileCalls.status(path, false);
            FileStatus target = own.symbolicLink() ? FileCalls.status(path, true) : own;
            return describe(target, own.symbolicLink());
        } catch (LinuxException e) {
            throw FileErrors.of(e);
        }
    }

    /**
     * As {@link #read}, when the kernel can answer from memory; empty when it would have to wait, then {@link #read} does
     * that. May be called by virtual threads.
     */
    public static Optional<MetadataResult> readCached(byte[] path, boolean followSymlinks) {
        try {
            return FileCalls.cachedStatus(path, followSymlinks ? 0 : FileCalls.RESOLVE_NO_SYMLINKS)
                    .filter(status -> !status.symbolicLink())
                    .map(status -> describe(status, false));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ELOOP && !followSymlinks) {
                throw linkRefused();
            }
            throw FileErrors.of(e);
        }
    }

    private static MetadataResult describe(FileStatus target, boolean link) {
        return new MetadataResult(
                target.directory(),
                target.regular(),
                link,
                target.size(),
                millis(target.bornNs().orElse(0)),
                millis(target.modifiedNs()));
    }

    private static RpcException linkRefused() {
        return RpcException.invalidRequest("path contains a symbolic link");
    }

    private static void refuseLinks(byte[] path) {
        try (Fd found =
                FileCalls.openat2(FileCalls.AT_FDCWD, path, FileCalls.O_PATH, 0, FileCalls.RESOLVE_NO_SYMLINKS)) {
            return;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ELOOP) {
                throw linkRefused();
            }
            throw e;
        }
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
