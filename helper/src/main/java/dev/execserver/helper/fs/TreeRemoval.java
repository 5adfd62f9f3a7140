package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.RemoveParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.DirectoryCalls.Entry;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * One {@code fs/remove} of one tree. Every name is removed below the descriptor of its directory and no link is
 * followed, so that a tree that is swapped meanwhile cannot lead the removal elsewhere. Mount points are not crossed. A
 * tree may have more levels than the process has descriptors. One thread.
 */
final class TreeRemoval {

    /** Levels with an open directory. Those further up are closed, and opened again through {@code ..}. */
    private static final int MAX_OPEN = 64;

    /** Most times that one directory is read again because other programs keep filling it. */
    private static final int MAX_PASSES = 16;

    private static final int OPEN_DIRECTORY = FileCalls.O_RDONLY | FileCalls.O_DIRECTORY;

    /** Calls whose object is the directory itself, not an entry of it. */
    private static final Set<String> OF_DIRECTORIES = Set.of("getdents64", "lseek");

    private final byte[] path;
    private final Deque<Level> levels = new ArrayDeque<>();

    /** A directory that is being emptied. */
    private static final class Level {
        private final byte[] name;
        private final FileStatus identity;
        /** Null while too many other directories are open. */
        private Fd fd;

        private Iterator<Entry> entries = List.<Entry>of().iterator();
        private int passes;

        Level(byte[] name, Fd fd) {
            this.name = name;
            this.fd = fd;
            this.identity = FileCalls.status(fd);
        }

        boolean hasNext() {
            if (!entries.hasNext()) {
                entries = DirectoryCalls.entries(fd).iterator();
            }
            return entries.hasNext();
        }

        void startAgain() {
            passes++;
            ContentCalls.rewind(fd);
            entries = List.<Entry>of().iterator();
        }
    }

    private TreeRemoval(byte[] path) {
        this.path = path;
    }

    static void remove(RemoveParams params) {
        byte[] path = Paths.of(params.path());
        if (params.recursive() && !params.followSymlinks()) {
            throw RpcException.internal("recursive no-follow removal is unsupported");
        }
        if (Paths.segments(path).isEmpty()) {
            throw mountPoint(Paths.ROOT);
        }
        Paths.Place place = Paths.split(path);
        try (Fd parent = Opener.parent(place.parent(), params.followSymlinks())) {
            remove(params, path, parent, place.name());
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT || !params.force()) {
                throw e;
            }
        }
    }

    private static void remove(RemoveParams params, byte[] path, Fd parent, byte[] name) {
        FileStatus status = FileCalls.statusAt(parent, name, false);
        ProtectedPlaces.checkPlace(parent, name);
        if (status.symbolicLink() && !params.followSymlinks()) {
            throw RpcException.invalidRequest("path contains a symbolic link");
        }
        if (status.mountRoot()) {
            throw mountPoint(path);
        }
        if (!status.directory()) {
            DirectoryCalls.removeFile(parent, name);
        } else if (!params.recursive()) {
            DirectoryCalls.removeDirectory(parent, name);
        } else {
            new TreeRemoval(path).run(parent, name);
        }
    }

    private static RpcException mountPoint(byte[] path) {
        return ProtectedPlaces.explanation(path)
                .orElseGet(() -> RpcException.invalidRequest("refusing to remove `" + Paths.display(path)
                        + "`: a file system is mounted there; unmount it first"));
    }

    private void run(Fd parent, byte[] name) {
        try {
            removeEntry(parent, new Entry(name, 4));
            while (!levels.isEmpty()) {
                Level top = levels.peek();
                if (top.hasNext()) {
                    removeEntry(top.fd, top.entries.next());
                } else {
                    finish(parent);
                }
            }
        } catch (LinuxException e) {
            throw FileErrors.of(e, failedPath(e));
        } finally {
            for (Level level : levels) {
                if (level.fd != null) {
                    level.fd.close();
                }
            }
        }
    }

    /** Removes a file or enters a directory. If the entry was swapped, nothing outside the tree is touched. */
    private void removeEntry(Fd directory, Entry entry) {
        ProtectedPlaces.check(directory, entry.name());
        try {
            if (entry.directory()) {
                enter(directory, entry.name());
            } else {
                DirectoryCalls.removeFile(directory, entry.name());
            }
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.ENOENT -> {} // another program was faster
                case Errno.EISDIR -> enter(directory, entry.name());
                case Errno.ENOTDIR, Errno.ELOOP -> DirectoryCalls.removeFile(directory, entry.name());
                // An empty directory can be removed even if it may not be read.
                case Errno.EACCES -> removeUnread(directory, entry, e);
                default -> throw e;
            }
        }
    }

    private static void removeUnread(Fd directory, Entry entry, LinuxException cause) {
        if (!entry.directory()) {
            throw cause;
        }
        try {
            DirectoryCalls.removeDirectory(directory, entry.name());
        } catch (LinuxException e) {
            throw e.errno() == Errno.ENOTEMPTY ? cause : e;
        }
    }

    private void enter(Fd directory, byte[] name) {
        Fd fd;
        try {
            fd = Opener.open(
                    directory.number(),
                    name,
                    OPEN_DIRECTORY | FileCalls.O_NOFOLLOW,
                    0,
                    Opener.BELOW | FileCalls.RESOLVE_NO_XDEV);
        } catch (LinuxException e) {
            if (e.errno() == Errno.EXDEV) {
                throw mountPoint(Paths.join(pathOf(levels), name));
            }
            throw e;
        }
        levels.push(new Level(name, fd));
        if (levels.size() > MAX_OPEN) {
            closeOne();
        }
    }

    /** Closes the uppermost open directory, because it is needed last. */
    private void closeOne() {
        Iterator<Level> upwards = levels.descendingIterator();
        while (upwards.hasNext()) {
            Level level = upwards.next();
            if (level.fd != null) {
                level.fd.close();
                level.fd = null;
                level.entries = List.<Entry>of().iterator(); // entries that were read and not removed are read again
                return;
            }
        }
    }

    /** Removes the innermost directory, which seems to be empty. */
    private void finish(Fd outermost) {
        Level done = levels.pop();
        Level above = levels.peek();
        if (above != null && above.fd == null) {
            reopen(above, done);
        }
        try {
            DirectoryCalls.removeDirectory(above == null ? outermost : above.fd, done.name);
            done.fd.close();
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOTEMPTY && done.passes < MAX_PASSES) {
                done.startAgain();
                levels.push(done);
                return;
            }
            done.fd.close();
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    /**
     * Opens a closed directory again. The entry {@code ..} leads to the current parent, so its identity is compared
     * with the old one.
     */
    private static void reopen(Level above, Level below) {
        Fd fd = Opener.open(below.fd.number(), Paths.UP, OPEN_DIRECTORY, 0, 0);
        if (!FileCalls.status(fd).sameFile(above.identity)) {
            fd.close();
            below.fd.close();
            throw RpcException.internal("directory `" + Paths.display(below.name)
                    + "` was moved elsewhere while its tree was being removed");
        }
        above.fd = fd;
    }

    /**
     * Returns the path that a failed call was about. The error has only a name below a directory, or no name at all.
     */
    private String failedPath(LinuxException e) {
        String directory = Paths.display(pathOf(levels));
        boolean itself = levels.isEmpty() || e.object().isEmpty() || OF_DIRECTORIES.contains(e.call());
        return itself ? directory : directory + "/" + e.object();
    }

    private byte[] pathOf(Deque<Level> stack) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(path);
        Iterator<Level> downwards = stack.descendingIterator();
        if (downwards.hasNext()) {
            downwards.next(); // the root of the tree is the end of {@code path} already
        }
        downwards.forEachRemaining(level -> {
            joined.write('/');
            joined.writeBytes(level.name);
        });
        return joined.toByteArray();
    }
}
