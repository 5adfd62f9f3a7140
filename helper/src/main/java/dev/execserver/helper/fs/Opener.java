package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;

/**
 * Opens all files of this package with openat2(2), which checks symbolic links while it resolves the path and so cannot
 * be raced. Links of /proc that lead to open files are never followed: {@code /dev/stdin} and {@code /proc/self/exe}
 * would be those of the server. Stateless.
 */
final class Opener {

    /** Attempts after EAGAIN. openat2(2) returns it when a rename on the way made the check of the path unreliable. */
    private static final int MAX_TRIES = 128;

    private static final int REAL_OPEN = FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY;

    /** No link is followed below a directory, so that nothing outside its tree is ever reached. */
    static final long BELOW = FileCalls.RESOLVE_BENEATH | FileCalls.RESOLVE_NO_SYMLINKS;

    private Opener() {}

    /** Opens an absolute path. */
    static Fd open(byte[] path, int flags, int mode, boolean followSymlinks) {
        long resolve = followSymlinks ? FileCalls.RESOLVE_NO_MAGICLINKS : FileCalls.RESOLVE_NO_SYMLINKS;
        return open(FileCalls.AT_FDCWD, path, flags, mode, resolve);
    }

    /** Opens an entry of a directory without following a link. */
    static Fd below(Fd directory, byte[] name, int flags, int mode) {
        return open(directory.number(), name, flags | FileCalls.O_NOFOLLOW, mode, BELOW);
    }

    /** Calls openat2(2) and repeats it while other programs rename on the way. */
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
     * Opens a descriptor that only names the file (O_PATH): neither a FIFO nor a device notices it.
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
            // With these flags a link at the end is no error, so this link is on the way.
            throw e.errno() == Errno.ELOOP ? new LinuxException(e.call(), e.object(), Errno.ENOTDIR) : e;
        }
    }

    /** Opens the directory in which a name will be made or removed. */
    static Fd parent(byte[] path, boolean followSymlinks) {
        try {
            return open(path, FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0, followSymlinks);
        } catch (LinuxException e) {
            throw e.errno() == Errno.ELOOP && !followSymlinks
                    ? new LinuxException(e.call(), e.object(), Errno.ENOTDIR)
                    : e;
        }
    }

    /** Opens a regular file for reading. Nothing else is opened, not even for a moment. */
    static RegularFile forReading(byte[] path, boolean followSymlinks) {
        return forReading(path, followSymlinks, DisclosurePolicy.FULL);
    }

    /** Does the same; a file that may not be disclosed fails with EACCES. */
    static RegularFile forReading(byte[] path, boolean followSymlinks, DisclosurePolicy disclosure) {
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

    /** Opens a regular file for writing without emptying it. Makes it if it does not exist. */
    static RegularFile forWriting(byte[] path, int flags, int mode, boolean followSymlinks) {
        if (ProtectedPlaces.refuseNames()) {
            // With O_CREAT the kernel would make the target of a link at the end, which may be a refused name.
            try (ResolvedPlace target = ResolvedPlace.of(path, followSymlinks)) {
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
        return real(path, FileCalls.O_WRONLY | FileCalls.O_CREAT | flags, mode, followSymlinks, DisclosurePolicy.FULL);
    }

    /** Opens a device that accepts all data at once (such as /dev/null) for writing. Empty for any other file. */
    static Optional<Fd> sink(byte[] path, boolean followSymlinks) {
        try (Fd name = name(path, followSymlinks)) {
            if (!FileCalls.status(name).takesAllAtOnce()) {
                return Optional.empty();
            }
        } catch (LinuxException e) {
            return Optional.empty(); // opening it as a file gives the right error
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
        return Optional.empty(); // swapped since the first check
    }

    /**
     * Opens the file and checks it again, because it may have been swapped since the first check. O_NONBLOCK keeps a
     * FIFO from blocking the call; the check then refuses it.
     */
    private static RegularFile real(
            byte[] path, int flags, int mode, boolean followSymlinks, DisclosurePolicy disclosure) {
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

    /** Does the same as {@link #forReading} for an entry of a directory. Never follows a link. */
    static RegularFile readingBelow(Fd directory, byte[] name) {
        return readingBelow(directory, name, name);
    }

    /**
     * Does the same with a path for error messages.
     *
     * @param path for errors that come from this class, not from a system call
     */
    static RegularFile readingBelow(Fd directory, byte[] name, byte[] path) {
        return realBelow(directory, name, FileCalls.O_RDONLY, 0, path);
    }

    /** Does the same as {@link #forWriting} for an entry of a directory. Never follows a link. */
    static RegularFile writingBelow(Fd directory, byte[] name, int flags, int mode) {
        return writingBelow(directory, name, flags, mode, name);
    }

    /**
     * Does the same with a path for error messages.
     *
     * @param path for errors that come from this class, not from a system call
     */
    static RegularFile writingBelow(Fd directory, byte[] name, int flags, int mode, byte[] path) {
        ProtectedPlaces.check(directory, name);
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
