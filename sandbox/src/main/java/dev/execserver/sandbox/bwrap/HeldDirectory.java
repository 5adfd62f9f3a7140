package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import java.util.Optional;

/**
 * An open directory in which a placeholder is made, compared and removed. A command, or another user, may exchange this
 * directory or one above it for a link at any moment, so nothing is done by a path. No link is followed on the way to it: the
 * paths of a resolved policy have none. Its methods block.
 *
 * @param fd opened with O_PATH; the owner of this record closes it
 * @param status as it was opened
 */
record HeldDirectory(Fd fd, FileStatus status) implements AutoCloseable {

    /**
     * Opens a directory. Empty if this server may not search a directory on the way; then no command can make anything there.
     *
     * @throws FilesChangedException if there is no directory, or a link on the way
     */
    static Optional<HeldDirectory> open(LinuxPath path) {
        Fd fd;
        try {
            fd = FileCalls.openat2(
                    FileCalls.AT_FDCWD,
                    path.bytes(),
                    FileCalls.O_PATH | FileCalls.O_DIRECTORY,
                    0,
                    FileCalls.RESOLVE_NO_SYMLINKS | FileCalls.RESOLVE_NO_MAGICLINKS);
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.EACCES, Errno.EPERM -> Optional.empty();
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP -> throw PlaceholderFile.gone(path);
                default -> throw e;
            };
        }
        try {
            return Optional.of(new HeldDirectory(fd, FileCalls.status(fd)));
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    FileId id() {
        return new FileId(status.device(), status.inode());
    }

    /** Returns true if the path leads to this directory now, without a link. */
    boolean at(LinuxPath path) {
        try (HeldDirectory now = open(path).orElse(null)) {
            return now != null && now.status.sameFile(status);
        } catch (FilesChangedException e) {
            return false;
        }
    }

    /** Returns the status of an entry, without following a link. */
    FileStatus status(byte[] name) {
        return FileCalls.statusAt(fd, name, false);
    }

    /** Opens an entry, without following a link. */
    Fd open(byte[] name, int flags, int mode) {
        return FileCalls.openat2(fd.number(), name, flags | FileCalls.O_NOFOLLOW, mode, FileCalls.RESOLVE_NO_SYMLINKS);
    }

    @Override
    public void close() {
        fd.close();
    }
}
