package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.EntryCalls;
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
 * A placeholder on the host: its identity, its descriptor with a shared lock, and the directory that it is in. It is named
 * only inside of that directory, and changed only by its descriptor. Its methods block.
 *
 * @param path for messages
 * @param ours true if this server has just made it, so that it may change mode and owner
 * @param fd descriptor; the owner of this record closes it
 */
record PlaceholderFile(LinuxPath path, HeldDirectory directory, FileId id, boolean ours, Fd fd)
        implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PlaceholderFile.class.getName());

    /** Mark of placeholders, known to all servers: the sticky bit on an empty object that at most its owner may write. */
    private static final int MARK = 01000;

    private static final int MARK_AND_OTHERS_WRITING = 01022;
    /** Modes until the ledger has the identity of the object. Until then only these modes show that it was not changed. */
    private static final int DIRECTORY_MODE = MARK | 0555;

    private static final int FILE_MODE = MARK | 0444;
    /** A new directory may inherit this bit from the one above. */
    private static final int SET_GROUP_ID = 02000;

    private static final int OWNER_WRITING = 0200;
    private static final int PERMISSIONS = 0777;
    private static final int READING = FileCalls.O_RDONLY | FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY;
    private static final int WRITING = FileCalls.O_RDWR | FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY;
    /** From linux/magic.h. */
    private static final long PROC_SUPER_MAGIC = 0x9fa0;

    /**
     * Makes a placeholder. Empty if neither this server nor an unprivileged command can make anything there.
     *
     * @param in the directory of the path; this record closes it, unless there is none
     * @throws FilesChangedException if something is there, or the directory is gone
     */
    static Optional<PlaceholderFile> make(LinuxPath path, HeldDirectory in, boolean directory) {
        Optional<Fd> made = Optional.empty();
        try {
            if (directory) {
                DirectoryCalls.makeDirectory(in.fd(), path.name(), DIRECTORY_MODE);
            } else {
                made = Optional.of(makeFile(path, in));
            }
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.EACCES, Errno.EROFS, Errno.EPERM -> {
                    return Optional.empty();
                }
                case Errno.ENOENT -> {
                    requireProc(path, in);
                    return Optional.empty();
                }
                case Errno.EEXIST, Errno.ELOOP -> throw appeared(path);
                default -> throw e;
            }
        }
        Fd fd = made.orElseGet(() -> openMade(path, in));
        try {
            FileStatus status = FileCalls.status(fd);
            boolean ours = !directory || asMade(status, in, fd, path);
            PlaceholderFile file = new PlaceholderFile(path, in, id(status), ours, fd);
            if (!EntryCalls.tryLockShared(fd) || !file.present()) {
                throw gone(path);
            }
            if (ours) {
                requireMode(fd, directory ? DIRECTORY_MODE : FILE_MODE);
            }
            return Optional.of(file);
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    private static Fd makeFile(LinuxPath path, HeldDirectory in) {
        Fd fd = in.open(path.name(), WRITING | FileCalls.O_CREAT | FileCalls.O_EXCL, FILE_MODE);
        byte[] content = PlaceholderContent.of(path);
        try {
            ContentCalls.write(fd, content, 0, content.length, 0);
            return fd;
        } catch (LinuxException e) {
            fd.close();
            DirectoryCalls.removeFile(in.fd(), path.name()); // a full disk: an empty one would stop git
            throw e;
        }
    }

    private static Fd openMade(LinuxPath path, HeldDirectory in) {
        try {
            return in.open(path.name(), READING | FileCalls.O_DIRECTORY, 0);
        } catch (LinuxException e) {
            throw switch (e.errno()) {
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP, Errno.EACCES, Errno.EPERM -> gone(path);
                default -> e;
            };
        }
    }

    /**
     * Returns true if a directory is as mkdirat(2) has just made it. Whoever may write the directory above can put another one
     * in its place meanwhile; that one is neither given to anybody nor changed. False also on a file system without such modes.
     *
     * @throws FilesChangedException if it is not empty
     */
    private static boolean asMade(FileStatus status, HeldDirectory in, Fd fd, LinuxPath path) {
        if (hasEntries(fd)) {
            throw appeared(path);
        }
        return status.user() == FileCalls.effectiveUser()
                && !status.mountRoot()
                && status.device() == in.status().device()
                && (status.permissions() & MARK) != 0
                && (status.permissions() & ~(DIRECTORY_MODE | SET_GROUP_ID)) == 0;
    }

    /** Reads a directory from its start, wherever the descriptor is. False if it was removed. */
    private static boolean hasEntries(Fd directory) {
        byte[] here = {'.'};
        try (Fd reading = FileCalls.openat2(directory.number(), here, READING | FileCalls.O_DIRECTORY, 0, 0)) {
            return !DirectoryCalls.entries(reading).isEmpty();
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }

    /** Sets the mode regardless of the umask, because servers of other users have to open it. */
    private static void requireMode(Fd fd, int mode) {
        if (FileCalls.status(fd).permissions() != mode) {
            try {
                ContentCalls.changeMode(fd, mode);
            } catch (LinuxException e) {
                LOG.log(System.Logger.Level.DEBUG, "the file system has no such permissions: {0}", e.getMessage());
            }
        }
    }

    /**
     * Lets the user work with the name while commands run, for example with {@code git init}. Commands have a mount there and
     * see nothing of it, or only read it. If the server is root, the owner of the directory gets the placeholder.
     */
    void letUserIn() {
        if (!ours) {
            return;
        }
        try {
            FileStatus own = FileCalls.status(fd);
            FileStatus parent = directory.status();
            if (own.user() == 0 && parent.user() != 0) {
                ContentCalls.changeOwner(fd, parent.user(), parent.group());
            }
            ContentCalls.changeMode(fd, own.permissions() | OWNER_WRITING);
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.DEBUG, "the user cannot work with {0} now: {1}", path, e.getMessage());
        }
    }

    /** Removes the mark from an object that the user has filled, because it belongs to the user now. */
    void leaveToUser() {
        try {
            FileStatus own = FileCalls.status(fd);
            boolean filled = own.directory() ? hasEntries(fd) : !PlaceholderContent.untouched(path, own, fd);
            if (filled && (own.permissions() & MARK) != 0 && present()) {
                ContentCalls.changeMode(fd, own.permissions() & PERMISSIONS);
            }
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.DEBUG, "{0} keeps its sticky bit: {1}", path, e.getMessage());
        }
    }

    /** Returns true if this is a placeholder of any server, also while the user fills it. */
    static boolean marked(LinuxPath path, FileStatus status) {
        return (status.permissions() & MARK_AND_OTHERS_WRITING) == MARK
                && (status.directory() || status.regular() && PlaceholderContent.possible(path, status));
    }

    /**
     * Requires that the directory is in proc(5), where the kernel answers ENOENT to every creation. Elsewhere the directory
     * is gone.
     */
    private static void requireProc(LinuxPath path, HeldDirectory in) {
        if (FileCalls.fileSystemType(in.fd()) != PROC_SUPER_MAGIC) {
            throw new FilesChangedException(
                    "the directory of " + path + " went away while the sandbox was being prepared");
        }
    }

    private static FileId id(FileStatus status) {
        return new FileId(status.device(), status.inode());
    }

    /** Returns true if the object still has its name in its directory, wherever that is now. */
    boolean present() {
        try {
            return id(directory.status(path.name())).equals(id);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Opens it and holds a shared lock, so that it stays. Empty if this server may not open it.
     *
     * @throws FilesChangedException if something else is there now, or a server is just removing it
     */
    static Optional<PlaceholderFile> lock(LinuxPath path, FileId expected) {
        Optional<HeldDirectory> in = HeldDirectory.open(path.parent());
        if (in.isEmpty()) {
            return Optional.empty();
        }
        Fd fd = null;
        try {
            fd = in.get().open(path.name(), READING, 0);
            PlaceholderFile file = new PlaceholderFile(path, in.get(), expected, false, fd);
            boolean held = EntryCalls.tryLockShared(fd);
            // Both the open file and the name are compared, because inode numbers are reused.
            if (held && id(FileCalls.status(fd)).equals(expected) && file.present()) {
                in = Optional.empty();
                return Optional.of(file);
            }
            fd.close();
            throw gone(path);
        } catch (LinuxException e) {
            Optional.ofNullable(fd).ifPresent(Fd::close);
            return switch (e.errno()) {
                case Errno.ENOENT, Errno.ELOOP -> throw gone(path);
                case Errno.EACCES, Errno.EPERM -> Optional.empty();
                default -> throw e;
            };
        } finally {
            in.ifPresent(HeldDirectory::close);
        }
    }

    /** Removes the object if it is still the same and empty. The caller holds an exclusive lock. */
    void removeLocked() {
        try {
            FileStatus status = directory.status(path.name());
            if (!id(status).equals(id)) {
                return;
            }
            if (status.directory()) {
                DirectoryCalls.removeDirectory(directory.fd(), path.name());
            } else if (status.regular() && PlaceholderContent.untouched(path, status, fd)) {
                DirectoryCalls.removeFile(directory.fd(), path.name());
            }
        } catch (LinuxException e) {
            switch (e.errno()) {
                // It is gone, or the user has put something there, which is kept.
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ENOTEMPTY, Errno.EEXIST, Errno.ELOOP -> {}
                default -> throw e;
            }
        }
    }

    static FilesChangedException gone(LinuxPath path) {
        return new FilesChangedException(path + " went away while the sandbox was being prepared");
    }

    private static FilesChangedException appeared(LinuxPath path) {
        return new FilesChangedException(path + " appeared while the sandbox was being prepared");
    }

    @Override
    public void close() {
        fd.close();
        directory.close();
    }
}
