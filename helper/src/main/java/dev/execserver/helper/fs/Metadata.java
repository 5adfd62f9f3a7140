package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.MetadataResult;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** {@code fs/getMetadata}. Stateless. */
final class Metadata {

    private Metadata() {}

    /** Returns type, size and times of a file. For a symbolic link they are those of its target. */
    static MetadataResult read(MetadataParams params, DisclosurePolicy disclosure) {
        byte[] path = Paths.of(params.path());
        FileStatus own = ownStatus(path, params.followSymlinks(), disclosure);
        if (!own.symbolicLink()) {
            return describe(params, own, false);
        }
        if (!params.followSymlinks()) {
            throw RpcException.invalidRequest("path contains a symbolic link");
        }
        try (Fd target = Opener.name(path, true)) {
            disclosure.require(target, path);
            return describe(params, FileCalls.status(target), true);
        }
    }

    private static FileStatus ownStatus(byte[] path, boolean followSymlinks, DisclosurePolicy disclosure) {
        try (Fd name = followSymlinks
                ? Opener.open(path, FileCalls.O_PATH | FileCalls.O_NOFOLLOW, 0, true)
                : Opener.name(path, false)) {
            disclosure.require(name, path);
            return FileCalls.status(name);
        }
    }

    /**
     * Does the same as {@link #read} if the kernel can answer from memory. Empty means that {@link #read} must be
     * called: the answer would need waiting, the path ends in a link, or the file may not be disclosed. Virtual threads
     * may call this.
     */
    static Optional<MetadataResult> readCached(MetadataParams params, DisclosurePolicy disclosure) {
        byte[] path = Paths.of(params.path());
        boolean follow = params.followSymlinks();
        try {
            long resolve = follow ? FileCalls.RESOLVE_NO_MAGICLINKS : FileCalls.RESOLVE_NO_SYMLINKS;
            Optional<Fd> opened = FileCalls.cachedOpen(path, FileCalls.O_PATH | FileCalls.O_NOFOLLOW, resolve);
            if (opened.isEmpty()) {
                return Optional.empty();
            }
            try (Fd name = opened.get()) {
                return FileCalls.cachedStatus(name)
                        .filter(status -> !status.symbolicLink() && disclosure.allows(name))
                        .map(status -> describe(params, status, false));
            }
        } catch (LinuxException e) {
            boolean linkOnTheWay = e.errno() == Errno.ELOOP && !follow;
            throw FileErrors.of(linkOnTheWay ? new LinuxException(e.call(), e.object(), Errno.ENOTDIR) : e);
        }
    }

    private static MetadataResult describe(MetadataParams params, FileStatus target, boolean link) {
        return new MetadataResult(
                target.directory(),
                target.regular(),
                link,
                target.size(),
                millis(target.bornNs().orElse(0)),
                millis(target.modifiedNs()),
                params.mode() ? OptionalInt.of(target.permissions()) : OptionalInt.empty());
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
