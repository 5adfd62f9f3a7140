package dev.execserver.server.sandbox;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.trust.OwnershipWalk;
import dev.execserver.sandbox.trust.Step;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A folder that no other user can write, replace or move. It belongs to this user. Every directory above it and every
 * link on the way belong to root or to this user; no directory is writable by others, unless it is sticky. All of that
 * is checked before anything is created, and directories are created below the checked descriptor. Held open with a
 * shared lock, which also keeps systemd-tmpfiles(8) from removing it. Blocks.
 */
final class StateFolder implements AutoCloseable {
    private static final int PRIVATE = 0700;
    private static final int OTHERS_WRITE = 0022;

    private final Path path;
    private final Fd open;

    private StateFolder(Path path, Fd open) {
        this.path = path;
        this.open = open;
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
        return take(wanted, false);
    }

    /** As {@link #take}. Creates missing directories above it, for this user alone, below the checked ones. */
    static StateFolder takeWithParents(Path wanted) throws UnusableException {
        return take(wanted, true);
    }

    private static StateFolder take(Path wanted, boolean makeParents) throws UnusableException {
        Path absolute = wanted.toAbsolutePath().normalize();
        Path parent = Optional.ofNullable(absolute.getParent())
                .orElseThrow(() -> new UnusableException("is the root of the file system"));
        try (OwnershipWalk walk = OwnershipWalk.along(parent)) {
            for (Step step : walk.steps()) {
                refuse(step.fault(OTHERS_WRITE));
            }
            if (!makeParents && !walk.missing().isEmpty()) {
                throw new UnusableException(parent + " does not exist");
            }
            while (!walk.missing().isEmpty()) {
                walk.make(PRIVATE);
            }
            make(walk.end(), bytes(absolute.getFileName()));
            return open(walk, absolute.getFileName());
        } catch (LinuxException e) {
            throw new UnusableException("cannot be made: " + e.getMessage());
        }
    }

    private static void refuse(Optional<String> fault) throws UnusableException {
        if (fault.isPresent()) {
            throw new UnusableException(fault.get());
        }
    }

    private static void make(Fd parent, byte[] name) throws UnusableException {
        try {
            DirectoryCalls.makeDirectory(parent, name, PRIVATE);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EEXIST) {
                throw new UnusableException("cannot be made: " + Errno.text(e.errno()));
            }
        }
    }

    private static StateFolder open(OwnershipWalk parent, Path name) throws UnusableException {
        try {
            Fd fd = FileCalls.openat2(
                    parent.end().number(),
                    bytes(name),
                    FileCalls.O_RDONLY | FileCalls.O_DIRECTORY | FileCalls.O_NOFOLLOW,
                    0,
                    FileCalls.RESOLVE_NO_SYMLINKS);
            try {
                FileStatus status = FileCalls.status(fd);
                if (status.user() != ProcessCalls.effectiveUser()) {
                    throw new UnusableException("belongs to user " + status.user() + "; remove it");
                }
                if ((status.permissions() & OTHERS_WRITE) != 0) {
                    throw new UnusableException("is writable by others; remove it, or chmod it to 700");
                }
                boolean _ = EntryCalls.tryLockShared(fd); // a lock says nothing: commands under Landlock can take one
                return new StateFolder(parent.place().resolve(name), fd);
            } catch (UnusableException | RuntimeException e) {
                fd.close();
                throw e;
            }
        } catch (LinuxException e) {
            throw new UnusableException("is no folder that can be used: " + Errno.text(e.errno()));
        }
    }

    Path path() {
        return path;
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
