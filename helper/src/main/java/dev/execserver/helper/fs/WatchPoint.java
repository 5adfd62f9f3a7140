package dev.execserver.helper.fs;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.List;

/**
 * A place to watch for changes of a path: the descriptor of an existing directory, and the name in it to wait for.
 *
 * @param directory opened with O_PATH; the caller closes it
 * @param name one segment
 */
@SuppressWarnings("ArrayRecordComponent") // a name is bytes, and watch points are never compared
public record WatchPoint(Fd directory, byte[] name) implements AutoCloseable {

    /** Returns true if the name exists, even as a broken link. */
    public boolean exists() {
        int flags = FileCalls.O_PATH | FileCalls.O_NOFOLLOW;
        try (Fd _ = Opener.open(directory.number(), name, flags, 0, FileCalls.RESOLVE_NO_MAGICLINKS)) {
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw FileErrors.of(e);
        }
    }

    /** Opens the file itself with O_PATH. The caller closes it. */
    public static Fd itself(PathUri path) {
        try {
            return Opener.name(Paths.of(path), true);
        } catch (LinuxException e) {
            throw FileErrors.of(e);
        }
    }

    /**
     * Opens a directory of a tree for reading. Follows no link on the way. The caller closes it.
     *
     * @param relative path relative to the root, empty for the root itself
     */
    public static Fd below(Fd root, byte[] relative) {
        byte[] name = relative.length == 0 ? Paths.HERE : relative;
        try {
            return Opener.open(root.number(), name, FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0, Opener.BELOW);
        } catch (LinuxException e) {
            throw FileErrors.of(e);
        }
    }

    /** Returns the watch point for a path that exists. */
    public static WatchPoint of(PathUri path) {
        try {
            Paths.Place place = Paths.split(Paths.of(path));
            return new WatchPoint(Opener.parent(place.parent(), true), place.name());
        } catch (LinuxException e) {
            throw FileErrors.of(e);
        }
    }

    /**
     * Returns the watch point for a path that may not exist: the last existing directory on the way, and the next name.
     *
     * @throws RpcException when something on the way is no directory or may not be entered
     */
    public static WatchPoint ofMissing(PathUri path) {
        Fd directory = null;
        try {
            directory = Opener.parent(Paths.ROOT, true);
            List<byte[]> segments = Paths.segments(Paths.of(path));
            for (byte[] segment : segments.subList(0, Math.max(0, segments.size() - 1))) {
                Fd next = enter(directory, segment);
                if (next == null) {
                    return new WatchPoint(directory, segment);
                }
                directory.close();
                directory = next;
            }
            return new WatchPoint(directory, segments.isEmpty() ? Paths.HERE : segments.getLast());
        } catch (LinuxException e) {
            if (directory != null) {
                directory.close();
            }
            throw FileErrors.of(e, path.display());
        }
    }

    /** Opens a directory. Returns null if the name does not exist. */
    private static Fd enter(Fd directory, byte[] name) {
        try {
            int flags = FileCalls.O_PATH | FileCalls.O_DIRECTORY;
            return Opener.open(directory.number(), name, flags, 0, FileCalls.RESOLVE_NO_MAGICLINKS);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return null;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        directory.close();
    }
}
