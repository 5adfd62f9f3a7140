package dev.execserver.client.files;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.client.rpc.LinkListener;
import dev.execserver.protocol.fs.ChangedNotification;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.UnwatchParams;
import dev.execserver.protocol.fs.WatchParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.Notification;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Watches of a client, by their ids. They end with the connection on which they were made. */
public final class FileWatches implements LinkListener {

    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, FileWatch> open = new ConcurrentHashMap<>();

    /** Begins to watch; needs {@code fs/watch}. */
    public FileWatch watch(Caller caller, PathUri path) throws InterruptedException {
        caller.require(FsMethodNames.WATCH);
        long id = ids.incrementAndGet();
        FileWatch watch = new FileWatch(id, () -> {
            if (open.remove(id) != null) {
                caller.send(FsMethodNames.UNWATCH, new UnwatchParams(id));
            }
        });
        open.put(id, watch); // register before the server knows it: the first change may come with the answer
        boolean watching = false;
        try {
            caller.call(FsMethodNames.WATCH, new WatchParams(id, path), AfterLoss.FAIL, Caller.NOTHING);
            watching = true;
            return watch;
        } finally {
            if (!watching) {
                open.remove(id);
            }
        }
    }

    @Override
    public void notified(Notification notification) {
        if (!notification.method().equals(FsMethodNames.CHANGED)) {
            return;
        }
        ChangedNotification change = ChangedNotification.read(notification.params(), Dialect.OPEN);
        FileWatch watch = open.get(change.watchId());
        if (watch != null) {
            watch.add(change);
        }
        if (change.ended()) {
            open.remove(change.watchId());
        }
    }

    @Override
    public void interrupted() {
        endAll();
    }

    @Override
    public void resumed() {
        // Watches do not outlive their connection.
    }

    @Override
    public void ended(Supplier<ConnectionLostException> why) {
        endAll();
    }

    private void endAll() {
        open.values().forEach(FileWatch::end);
        open.clear();
    }
}
