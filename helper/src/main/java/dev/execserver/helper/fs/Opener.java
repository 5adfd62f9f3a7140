package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;

/**
 * The one way in which files are opened here: openat2(2), which decides about symbolic links while it walks and cannot be
 * raced. The links of /proc that lead to open files are never followed: {@code /dev/stdin} and {@code /proc/self/exe}
 * would be the server's own. Stateless.
 */
final class Opener {

    /** EAGAIN: somebody renamed on the way while the kernel looked; it gives up rather than be wrong, see openat2(2). */
    private static final int MAX_TRIES = 128;

    private static final int REAL_OPEN = FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY;

    /** Below a directory no link leads anywhere, so that nothing outside of the tree is ever reached. */
    static final long BELOW = FileCalls.RESOLVE_BENEATH | FileCalls.RESOLVE_NO_SYMLINKS;

    private Opener() {}

    /** Opens an absolute path. */
    static Fd open(byte[] path, int flags, int mode, boolean followSymlinks) {
        long resolve = followSymlinks ? FileCalls.RESOLVE_NO_MAGICLINKS : FileCalls.RESOLVE_NO_SYMLINKS;
        return open(FileCalls.AT_FDCWD, path, flags, mode, resolve);
    }

    /** Opens an entry of a directory, without following a link. */
    static Fd below(Fd directory, byte[] name, int flags, int mode) {
        return open(directory.number(), name, flags | FileCalls.O_NOFOLLOW, mode, BELOW);
    }

    /** openat2(2), tried again while others rename on the way. */
    static Fd open(int directory, byte[] path, int flags, int mode, long resolve) {
        for (int tries = 1; ; tries++) {
            try {
                return FileCalls.openat2(directory, path, flags, mode, resolve);
            } catch (LinuxException e) {
                if (e.errno() != Errno.EAGAIN || tries == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }

    /**
     * A descriptor that only names the file: neither a FIFO nor a device notices it.
     *
     * @param followSymlinks false refuses a link on the way with ENOTDIR and opens a link at the end itself
     */
    static Fd name(byte[] path, boolean followSymlinks) {
        if (followSymlinks) {
            return open(path, FileCalls.O_PATH, 0, true);
        }
        try {
            return open(path, FileCalls.O_PATH | FileCalls.O_NOFOLLOW, 0, false);
        } catch (LinuxException e) {
            // With these flags a link at the end is no error, so this one is on the way.
            throw e.errno() == Errno.ELOOP ? new LinuxException(e.call(), e.object(), Errno.ENOTDIR) : e;
        }
    }

    /** The directory in which a name shall be made or removed. */
    static Fd parent(byte[] path, boolean followSymlinks) {
        try {
            return open(path, FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0, followSymlinks);
        } catch (LinuxException e) {
            throw e.errno() == Errno.ELOOP && !followSymlinks
                    ? new LinuxException(e.call(), e.object(), Errno.ENOTDIR)
                    : e;
        }
    }

    /** Opens a regular file for reading and nothing else, not even for a moment. */
    static RegularFile forReading(byte[] path, boolean followSymlinks) {
        return forReading(path, followSymlinks, Disclosure.FULL);
    }

    /** As above; EACCES for a file of which nothing may be told. */
    static RegularFile forReading(byte[] path, boolean followSymlinks, Disclosure disclosure) {
        try (Fd name = name(path, followSymlinks)) {
            disclosure.require(name, path);
            FileStatus status = FileCalls.status(name);
            refuseLink(path, status);
            if (!status.regular()) {
                throw followSymlinks
                        ? FileErrors.notAFile(path)
                        : RpcException.invalidRequest("path is not a regular file");
            }
        }
        return real(path, FileCalls.O_RDONLY, 0, followSymlinks, disclosure);
    }

    /** Opens a regular file for writing as it is, or makes it. */
    static RegularFile forWriting(byte[] path, int flags, int mode, boolean followSymlinks) {
        if (SandboxPlaces.refuseNames()) {
            // The kernel would make what a link at the end leads to.
            try (Target target = Target.of(path, followSymlinks)) {
                return writingBelow(target.directory(), target.name(), flags, mode, path);
            }
        }
        try (Fd name = name(path, followSymlinks)) {
            FileStatus status = FileCalls.status(name);
            refuseLink(path, status);
            refuseSpecial(path, status);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
        return real(path, FileCalls.O_WRONLY | FileCalls.O_CREAT | flags, mode, followSymlinks, Disclosure.FULL);
    }

    /** Opens one of the few devices that take everything at once, for writing; empty when the path leads to anything else. */
    static Optional<Fd> sink(byte[] path, boolean followSymlinks) {
        try (Fd name = name(path, followSymlinks)) {
            if (!FileCalls.status(name).takesAllAtOnce()) {
                return Optional.empty();
            }
        } catch (LinuxException e) {
            return Optional.empty(); // who opens it as a file finds the words for that
        }
        Fd opened = open(path, FileCalls.O_WRONLY | REAL_OPEN, 0, followSymlinks);
        try {
            if (FileCalls.status(opened).takesAllAtOnce()) {
                return Optional.of(opened);
            }
        } catch (LinuxException e) {
            opened.close();
            throw e;
        }
        opened.close();
        return Optional.empty(); // swapped since
    }

    /** What was looked at may have been swapped since: O_NONBLOCK keeps a FIFO from holding us, and it is refused. */
    private static RegularFile real(byte[] path, int flags, int mode, boolean followSymlinks, Disclosure disclosure) {
        Fd fd = open(path, flags | REAL_OPEN, mode, followSymlinks);
        try {
            disclosure.require(fd, path);
            FileStatus status = FileCalls.status(fd);
            refuseSpecial(path, status);
            return new RegularFile(fd, status, path);
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    /** As {@link #forReading} for an entry of a directory; never follows a link. */
    static RegularFile readingBelow(Fd directory, byte[] name) {
        return readingBelow(directory, name, name);
    }

    /** @param path for errors that are not of the system */
    static RegularFile readingBelow(Fd directory, byte[] name, byte[] path) {
        return realBelow(directory, name, FileCalls.O_RDONLY, 0, path);
    }

    /** As {@link #forWriting} for an entry of a directory; never follows a link. */
    static RegularFile writingBelow(Fd directory, byte[] name, int flags, int mode) {
        return writingBelow(directory, name, flags, mode, name);
    }

    /** @param path for errors that are not of the system */
    static RegularFile writingBelow(Fd directory, byte[] name, int flags, int mode, byte[] path) {
        SandboxPlaces.check(directory, name);
        return realBelow(directory, name, FileCalls.O_WRONLY | FileCalls.O_CREAT | flags, mode, path);
    }

    private static RegularFile realBelow(Fd directory, byte[] name, int flags, int mode, byte[] path) {
        try {
            FileStatus status = FileCalls.statusAt(directory, name, false);
            if (!status.symbolicLink()) {
                refuseSpecial(path, status);
            }
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
        Fd fd = below(directory, name, flags | REAL_OPEN, mode);
        try {
            FileStatus status = FileCalls.status(fd);
            refuseSpecial(path, status);
            return new RegularFile(fd, status, path);
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    private static void refuseLink(byte[] path, FileStatus status) {
        if (status.symbolicLink()) {
            throw new LinuxException("openat2", Paths.display(path), Errno.ELOOP);
        }
    }

    static void refuseSpecial(byte[] path, FileStatus status) {
        if (status.directory()) {
            throw new LinuxException("openat2", Paths.display(path), Errno.EISDIR);
        }
        if (!status.regular()) {
            throw FileErrors.notAFile(path);
        }
    }
}
