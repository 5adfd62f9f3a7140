package dev.execserver.server.sandbox;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A folder that no other user can write, replace or move. It belongs to this user. Every directory above it belongs to
 * root or to this user and is not writable by others, unless it is sticky. Held open with a shared lock, which also
 * keeps systemd-tmpfiles(8) from removing it. Blocks.
 */
final class StateFolder implements AutoCloseable {
    private static final int PRIVATE = 0700;
    private static final int STICKY = 01000;
    private static final int OTHERS_WRITE = 0022;

    private final Path path;
    private final Fd open;
    private final boolean shared;

    private StateFolder(Path path, Fd open, boolean shared) {
        this.path = path;
        this.open = open;
        this.shared = shared;
    }

    /** Thrown if the folder cannot be used. The message says why. */
    static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }

    /**
     * Creates the folder, or checks and takes the existing one.
     *
     * @param wanted absolute; its parent must exist
     */
    static StateFolder take(Path wanted) throws UnusableException {
        Path path = canonical(wanted);
        checkAbove(path.getParent());
        try {
            EntryCalls.makeDirectory(bytes(path), PRIVATE);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EEXIST) {
                throw new UnusableException("cannot be made: " + Errno.text(e.errno()));
            }
        }
        return open(path);
    }

    private static StateFolder open(Path path) throws UnusableException {
        try {
            Fd fd = FileCalls.open(bytes(path), FileCalls.O_RDONLY | FileCalls.O_DIRECTORY | FileCalls.O_NOFOLLOW, 0);
            try {
                FileStatus status = FileCalls.status(fd);
                if (status.user() != ProcessCalls.effectiveUser()) {
                    throw new UnusableException("belongs to user " + status.user() + "; remove it");
                }
                if ((status.permissions() & OTHERS_WRITE) != 0) {
                    throw new UnusableException("is writable by others; remove it, or chmod it to 700");
                }
                boolean alone = EntryCalls.tryLockExclusive(fd);
                boolean _ = EntryCalls.tryLockShared(fd); // another server may hold it exclusively for a moment
                return new StateFolder(path, fd, !alone);
            } catch (UnusableException | RuntimeException e) {
                fd.close();
                throw e;
            }
        } catch (LinuxException e) {
            throw new UnusableException("is no folder that can be used: " + Errno.text(e.errno()));
        }
    }

    /** Resolves the links above the folder, so that a later change of a link has no effect. */
    private static Path canonical(Path wanted) throws UnusableException {
        Path absolute = wanted.toAbsolutePath().normalize();
        Path parent = Optional.ofNullable(absolute.getParent())
                .orElseThrow(() -> new UnusableException("is the root of the file system"));
        try {
            return parent.toRealPath().resolve(absolute.getFileName());
        } catch (IOException e) {
            throw new UnusableException(parent + " does not exist");
        }
    }

    private static void checkAbove(Path parent) throws UnusableException {
        // The owner is normally root. In a user namespace that does not map root it appears as the overflow user.
        int ownerOfAll = status(parent.getRoot()).user();
        for (Path above = parent; above != null; above = above.getParent()) {
            FileStatus status = status(above);
            boolean trusted =
                    status.user() == 0 || status.user() == ProcessCalls.effectiveUser() || status.user() == ownerOfAll;
            if (!trusted) {
                throw new UnusableException(above + " belongs to user " + status.user() + ", who could replace it");
            }
            if ((status.permissions() & OTHERS_WRITE) != 0 && (status.permissions() & STICKY) == 0) {
                throw new UnusableException(above + " is writable by others and not sticky: they could replace it");
            }
        }
    }

    private static FileStatus status(Path path) throws UnusableException {
        try {
            return FileCalls.status(bytes(path), false);
        } catch (LinuxException e) {
            throw new UnusableException(path + " cannot be looked at: " + Errno.text(e.errno()));
        }
    }

    Path path() {
        return path;
    }

    /** Returns true if another server of this user held it when it was taken. */
    boolean shared() {
        return shared;
    }

    /** Returns true if the path still leads to the folder that was taken. */
    boolean present() {
        try {
            return FileCalls.status(bytes(path), false).sameFile(FileCalls.status(open));
        } catch (LinuxException e) {
            return false;
        }
    }

    static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        open.close();
    }
}
