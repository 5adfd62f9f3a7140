package dev.execserver.server.files;

import dev.execserver.helper.fs.WatchPoint;
import dev.execserver.protocol.fs.WatchMissingParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.InotifyCalls;
import dev.execserver.server.sandbox.FileVisibility;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One watch of {@code fs/watchMissing}. Fires once: when a missing path or a directory on the way to it appears, or
 * when the present path changes or vanishes.
 *
 * <p>Armed on a file worker, fired on the watcher's thread, cancelled on the connection's reader thread. {@code lock}
 * guards the fields.
 */
public final class MissingWatch {

    private static final int GONE = InotifyCalls.IN_DELETE_SELF | InotifyCalls.IN_MOVE_SELF;
    private static final int APPEARS = InotifyCalls.IN_CREATE | InotifyCalls.IN_MOVED_TO;
    private static final int LEAVES = InotifyCalls.IN_DELETE | InotifyCalls.IN_MOVED_FROM;
    private static final int CHANGES = InotifyCalls.IN_MODIFY | InotifyCalls.IN_ATTRIB | InotifyCalls.IN_CLOSE_WRITE;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<FileWatcher.Watch> watches = new ArrayList<>();
    private volatile List<PathUri> missing;
    private volatile Optional<PathUri> present;
    private final FileWatcher.Client watcher;
    private final FileVisibility visibility;
    private final Runnable notification;
    private boolean answered;
    private boolean fired;
    private boolean over;

    /**
     * Makes a watch that is not armed.
     *
     * @param visibility decides which paths the client may watch
     * @param notification sends the notification; must not wait
     */
    public MissingWatch(
            WatchMissingParams params, FileWatcher.Client watcher, FileVisibility visibility, Runnable notification) {
        this.missing = params.missing();
        this.present = params.present();
        this.watcher = watcher;
        this.visibility = visibility;
        this.notification = notification;
    }

    /**
     * Arms the watch. Watches first and checks the paths afterwards, so that no change between the two is missed.
     * Returns false if the paths are not as described or cannot appear.
     */
    public boolean arm() {
        boolean armed = false;
        try {
            armed = !missing.isEmpty() && asDescribed() && watchAll() && asDescribed();
        } catch (RpcException e) {
            if (e.data().filter(data -> data.members().containsKey("reason")).isPresent()) {
                throw e; // no more watches
            }
            // A path that leads through a file or an unreadable directory cannot appear.
        } finally {
            if (!armed) {
                cancel();
            }
        }
        return armed;
    }

    private boolean asDescribed() {
        return missing.stream().noneMatch(this::exists) && present.stream().allMatch(this::exists);
    }

    /** Returns true if the path exists. Looks in the same directory for which the client's right was checked. */
    private boolean exists(PathUri path) {
        try (WatchPoint point = WatchPoint.ofMissing(path)) {
            visibility.require(point.directory(), point.name(), path);
            return point.exists();
        }
    }

    private boolean watchAll() {
        for (PathUri path : missing) {
            try (WatchPoint point = WatchPoint.ofMissing(path)) {
                visibility.require(point.directory(), point.name(), path);
                watchEntry(point, APPEARS, path.bytes().length);
            }
        }
        for (PathUri path : present.stream().toList()) {
            try (Fd itself = WatchPoint.itself(path)) {
                visibility.require(itself, path);
                keep(watcher.watch(itself, CHANGES | APPEARS | LEAVES | GONE, 0, (mask, name) -> fire()));
            }
            try (WatchPoint point = WatchPoint.of(path)) {
                visibility.require(point.directory(), point.name(), path);
                watchEntry(point, APPEARS | LEAVES, path.bytes().length);
            }
        }
        return true;
    }

    /** Watches one name in a directory, and the end of the directory itself. */
    private void watchEntry(WatchPoint point, int mask, int pathBytes) {
        byte[] awaited = point.name();
        keep(watcher.watch(point.directory(), mask | GONE, pathBytes, (event, name) -> {
            if (name.length == 0 || Arrays.equals(name, awaited)) {
                fire();
            }
        }));
    }

    private void keep(FileWatcher.Watch watch) {
        lock.lock();
        try {
            if (!over) {
                watches.add(watch);
                return;
            }
        } finally {
            lock.unlock();
        }
        watch.close();
    }

    /** Called when the answer is queued: from now on the notification may follow. */
    public void answered() {
        boolean now;
        lock.lock();
        try {
            answered = true;
            now = fired;
        } finally {
            lock.unlock();
        }
        if (now) {
            notification.run();
        }
    }

    private void fire() {
        boolean now;
        lock.lock();
        try {
            if (over) {
                return;
            }
            over = true;
            fired = true;
            now = answered;
        } finally {
            lock.unlock();
        }
        closeWatches();
        if (now) {
            notification.run();
        }
    }

    /** Cancels the watch: it never fires from now on. Never waits. */
    public void cancel() {
        lock.lock();
        try {
            over = true;
        } finally {
            lock.unlock();
        }
        missing = List.of();
        present = Optional.empty();
        closeWatches();
    }

    private void closeWatches() {
        List<FileWatcher.Watch> ended;
        lock.lock();
        try {
            ended = List.copyOf(watches);
            watches.clear();
        } finally {
            lock.unlock();
        }
        ended.forEach(FileWatcher.Watch::close);
    }
}
