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
 * A placeholder on the host: its identity, and its descriptor with a shared lock. Its methods block.
 *
 * @param fd descriptor; the owner of this record closes it
 */
record PlaceholderFile(FileId id, Fd fd) {
    private static final System.Logger LOG = System.getLogger(PlaceholderFile.class.getName());

    /** Mark of placeholders, known to all servers: the sticky bit on an empty object that at most its owner may write. */
    private static final int MARK = 01000;

    private static final int MARK_AND_OTHERS_WRITING = 01022;
    /** Modes until the ledger has the identity of the object. Until then only these modes show that it was not changed. */
    private static final int DIRECTORY_MODE = MARK | 0555;

    private static final int FILE_MODE = MARK | 0444;
    private static final int OWNER_WRITING = 0200;
    private static final int PERMISSIONS = 0777;
    /** From linux/magic.h. */
    private static final long PROC_SUPER_MAGIC = 0x9fa0;

    /**
     * Makes a placeholder. Empty if neither this server nor an unprivileged command can make anything there.
     *
     * @throws FilesChangedException if something is there, or the directory is gone
     */
    static Optional<PlaceholderFile> make(LinuxPath path, boolean directory) {
        try {
            if (directory) {
                EntryCalls.makeDirectory(path.bytes(), DIRECTORY_MODE);
            } else {
                EntryCalls.makeFile(path.bytes(), FILE_MODE);
            }
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.EACCES, Errno.EROFS, Errno.EPERM -> {
                    return Optional.empty();
                }
                case Errno.ENOENT -> {
                    requireProc(path);
                    return Optional.empty();
                }
                case Errno.EEXIST ->
                    throw new FilesChangedException(path + " appeared while the sandbox was being prepared");
                default -> throw e;
            }
        }
        PlaceholderFile made = lock(path, idUnlessGone(path)).orElseThrow(() -> gone(path));
        requireMode(made.fd(), directory ? DIRECTORY_MODE : FILE_MODE);
        return Optional.of(made);
    }

    /** Returns the identity. A command of another server may have used the object already, and that server removed it. */
    private static FileId idUnlessGone(LinuxPath path) {
        try {
            return id(path);
        } catch (LinuxException e) {
            throw e.errno() == Errno.ENOENT ? gone(path) : e;
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
    void letUserIn(LinuxPath path) {
        try {
            FileStatus own = FileCalls.status(fd);
            FileStatus parent = FileCalls.status(path.parent().bytes(), false);
            if (own.user() == 0 && parent.user() != 0) {
                ContentCalls.changeOwner(fd, parent.user(), parent.group());
            }
            ContentCalls.changeMode(fd, own.permissions() | OWNER_WRITING);
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.DEBUG, "the user cannot work with {0} now: {1}", path, e.getMessage());
        }
    }

    /** Removes the mark from an object that the user has filled, because it belongs to the user now. */
    void leaveToUser(LinuxPath path) {
        try {
            FileStatus own = FileCalls.status(fd);
            boolean filled = own.directory() ? !DirectoryCalls.entries(fd).isEmpty() : own.size() > 0;
            if (filled && (own.permissions() & MARK) != 0 && id(path).equals(id)) {
                ContentCalls.changeMode(fd, own.permissions() & PERMISSIONS);
            }
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.DEBUG, "{0} keeps its sticky bit: {1}", path, e.getMessage());
        }
    }

    /** Returns true if this is a placeholder of any server, also while the user fills it. */
    static boolean marked(FileStatus status) {
        return (status.permissions() & MARK_AND_OTHERS_WRITING) == MARK
                && (status.directory() || status.regular() && status.size() == 0);
    }

    /**
     * Requires that the directory is in proc(5), where the kernel answers ENOENT to every creation. Elsewhere the directory
     * is gone.
     */
    private static void requireProc(LinuxPath path) {
        try (Fd parent = FileCalls.open(path.parent().bytes(), FileCalls.O_PATH, 0)) {
            if (FileCalls.fileSystemType(parent) == PROC_SUPER_MAGIC) {
                return;
            }
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
        throw new FilesChangedException("the directory of " + path + " went away while the sandbox was being prepared");
    }

    static FileId id(LinuxPath path) {
        return id(FileCalls.status(path.bytes(), false));
    }

    private static FileId id(FileStatus status) {
        return new FileId(status.device(), status.inode());
    }

    /**
     * Opens it and holds a shared lock, so that it stays. Empty if this server may not open it.
     *
     * @throws FilesChangedException if something else is there now, or a server is just removing it
     */
    static Optional<PlaceholderFile> lock(LinuxPath path, FileId expected) {
        try {
            Fd fd = FileCalls.open(path.bytes(), FileCalls.O_RDONLY | FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY, 0);
            boolean held = EntryCalls.tryLockShared(fd);
            // Both the open file and the name are compared, because inode numbers are reused.
            if (held && id(FileCalls.status(fd)).equals(expected) && id(path).equals(expected)) {
                return Optional.of(new PlaceholderFile(expected, fd));
            }
            fd.close();
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.ENOENT -> {}
                case Errno.EACCES, Errno.EPERM -> {
                    return Optional.empty();
                }
                default -> throw e;
            }
        }
        throw gone(path);
    }

    /** Removes the object if it is still the same and empty. The caller holds an exclusive lock. */
    static void removeLocked(LinuxPath path, FileId id) {
        try {
            FileStatus status = FileCalls.status(path.bytes(), false);
            if (!id(status).equals(id)) {
                return;
            }
            if (status.directory()) {
                EntryCalls.removeDirectory(path.bytes());
            } else if (status.regular() && status.size() == 0) {
                EntryCalls.removeFile(path.bytes());
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
}
