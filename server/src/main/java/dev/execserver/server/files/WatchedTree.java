package dev.execserver.server.files;

import dev.execserver.helper.fs.WatchPoint;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.WatchParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.InotifyCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.sandbox.FileVisibility;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files of one watch: a file or a directory and, if requested, all directories below it. A directory is watched
 * before it is read, so that nothing is missed in between. Entries of a directory that has just appeared are reported
 * as created, some of them perhaps twice.
 *
 * <p>File workers enter directories, the watcher's thread delivers. {@code lock} guards the table.
 */
final class WatchedTree implements AutoCloseable {

    private static final int APPEARED = InotifyCalls.IN_CREATE | InotifyCalls.IN_MOVED_TO;
    private static final int LEFT = InotifyCalls.IN_DELETE | InotifyCalls.IN_MOVED_FROM;

    private final ReentrantLock lock = new ReentrantLock();
    /** Watches by path relative to the root, one char for each byte. */
    private final Map<String, FileWatcher.Watch> watches = new HashMap<>();

    private final FileWatcher.Client watcher;
    private final FileWorkers workers;
    private final FileVisibility visibility;
    private final int mask;
    private final Listener listener;
    private final PathUri root;
    private final boolean recursive;
    /**
     * Identity of the root. The root is not kept open, because the kernel reports its deletion only when no process has
     * it open.
     */
    private FileStatus identity;

    private boolean closed;

    /** Receives changes. Must not wait. */
    interface Listener {
        /** @param path relative to the root; empty for the root itself */
        void changed(int mask, byte[] path);

        /** Called when changes may have been missed. */
        void lost();
    }

    /**
     * Starts the watch. Runs on a file worker.
     *
     * @param visibility decides which paths the client may watch
     */
    static WatchedTree of(
            WatchParams params,
            FileWatcher.Client watcher,
            FileWorkers workers,
            FileVisibility visibility,
            int mask,
            Listener listener) {
        visibility.require(params.path());
        WatchedTree tree = new WatchedTree(params, watcher, workers, visibility, mask, listener);
        try (Fd root = WatchPoint.itself(params.path())) {
            visibility.require(root, params.path());
            tree.identity = FileCalls.status(root);
            tree.keep("", tree.watchRoot(root));
        }
        if (params.recursive()) {
            tree.enterAll("", false);
        }
        return tree;
    }

    private WatchedTree(
            WatchParams params,
            FileWatcher.Client watcher,
            FileWorkers workers,
            FileVisibility visibility,
            int mask,
            Listener listener) {
        this.watcher = watcher;
        this.workers = workers;
        this.visibility = visibility;
        this.mask = mask;
        this.listener = listener;
        this.recursive = params.recursive();
        this.root = params.path();
    }

    private FileWatcher.Watch watchRoot(Fd directory) {
        try {
            return watcher.watch(directory, mask, 0, (event, name) -> deliver("", event, name));
        } catch (RpcException e) {
            throw e.withData("path", root.display()); // inotify knows the root only by its descriptor
        }
    }

    private void deliver(String directory, int event, byte[] name) {
        if ((event & InotifyCalls.IN_Q_OVERFLOW) != 0) {
            listener.changed(event, new byte[0]);
            if (recursive && directory.isEmpty()) {
                later("");
            }
            return;
        }
        if (name.length == 0) {
            if (directory.isEmpty()) {
                listener.changed(event, name);
            }
            return; // the watch of the directory above reports events of this one
        }
        String path = child(directory, name);
        listener.changed(event, bytes(path));
        if (recursive && (event & InotifyCalls.IN_ISDIR) != 0) {
            if ((event & LEFT) != 0) {
                leave(path);
            } else if ((event & APPEARED) != 0) {
                later(path);
            }
        }
    }

    /** Enters a directory on a file worker, because that may wait for its file system. */
    private void later(String path) {
        try {
            workers.submit(() -> enterAll(path, true));
        } catch (RpcException busy) {
            listener.lost();
        }
    }

    /** @param tell true if found entries are to be reported as created */
    private void enterAll(String first, boolean tell) {
        Deque<String> ahead = new ArrayDeque<>(List.of(first));
        try (Fd directory = WatchPoint.itself(root)) {
            FileStatus now = FileCalls.status(directory);
            boolean same = now.device() == identity.device() && now.inode() == identity.inode();
            while (same && !ahead.isEmpty()) {
                ahead.addAll(enterOne(directory, ahead.poll(), tell));
            }
        } catch (RpcException | LinuxException e) {
            if (isLoss(e)) {
                listener.lost();
            }
        }
    }

    private List<String> enterOne(Fd top, String path, boolean tell) {
        try {
            return enter(top, path, tell);
        } catch (RpcException | LinuxException e) {
            if (isLoss(e)) {
                throw e;
            }
            return List.of();
        }
    }

    /**
     * Returns true if the error means lost changes. A directory that is gone, that is a link now or that may not be
     * read loses nothing.
     */
    private static boolean isLoss(RuntimeException e) {
        return e instanceof RpcException error
                && error.data()
                        .filter(data ->
                                FileWatcher.TOO_MANY.equals(data.members().get("reason")))
                        .isPresent();
    }

    /** Watches and reads one directory. Returns the directories in it. */
    private List<String> enter(Fd top, String path, boolean tell) {
        List<String> below = new ArrayList<>();
        try (Fd directory = WatchPoint.below(top, bytes(path))) {
            boolean known = path.isEmpty() || known(path);
            if (!known) {
                visibility.require(directory, below(root, bytes(path)));
                requireRoom();
                keep(path, watcher.watch(directory, mask, path.length(), (event, name) -> deliver(path, event, name)));
            }
            List<DirectoryCalls.Entry> entries;
            while (!(entries = DirectoryCalls.entries(directory)).isEmpty()) {
                for (DirectoryCalls.Entry entry : entries) {
                    String child = child(path, entry.name());
                    if (tell && !known) {
                        listener.changed(InotifyCalls.IN_CREATE, bytes(child));
                    }
                    if (entry.directory() || entry.unknown()) {
                        below.add(child);
                    }
                }
            }
        }
        return below;
    }

    private boolean known(String path) {
        lock.lock();
        try {
            return watches.containsKey(path);
        } finally {
            lock.unlock();
        }
    }

    private void requireRoom() {
        lock.lock();
        try {
            if (watches.size() >= FsLimits.WATCHED_DIRECTORIES || closed) {
                throw RpcException.internal("too many directories").withData("reason", FileWatcher.TOO_MANY);
            }
        } finally {
            lock.unlock();
        }
    }

    private void keep(String path, FileWatcher.Watch watch) {
        lock.lock();
        try {
            FileWatcher.Watch unwanted = closed ? watch : watches.put(path, watch);
            if (unwanted != null) {
                unwanted.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private void leave(String path) {
        lock.lock();
        try {
            watches.entrySet().removeIf(each -> {
                boolean gone = each.getKey().equals(path) || each.getKey().startsWith(path + "/");
                if (gone) {
                    each.getValue().close();
                }
                return gone;
            });
        } finally {
            lock.unlock();
        }
    }

    private static String child(String directory, byte[] name) {
        String text = new String(name, StandardCharsets.ISO_8859_1);
        return directory.isEmpty() ? text : directory + "/" + text;
    }

    /** Returns a path below a directory. */
    static PathUri below(PathUri directory, byte[] relative) {
        if (relative.length == 0) {
            return directory;
        }
        byte[] above = directory.bytes();
        boolean slash = above[above.length - 1] != '/';
        byte[] path = Arrays.copyOf(above, above.length + (slash ? 1 : 0) + relative.length);
        if (slash) {
            path[above.length] = '/';
        }
        System.arraycopy(relative, 0, path, path.length - relative.length, relative.length);
        return PathUri.ofNative(path);
    }

    private static byte[] bytes(String path) {
        return path.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Ends the watch. Never waits. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            watches.values().forEach(FileWatcher.Watch::close);
            watches.clear();
        } finally {
            lock.unlock();
        }
    }
}
