package dev.execserver.server.files;

import dev.execserver.protocol.fs.ChangedNotification;
import dev.execserver.protocol.fs.ChangedNotification.Change;
import dev.execserver.protocol.fs.ChangedNotification.Kind;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.WatchParams;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.sandbox.linux.InotifyCalls;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.outbound.PushSource;
import dev.execserver.server.sandbox.FileVisibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One watch of {@code fs/watch}. Changes wait here, limited in number, until the connection can take them. If there is
 * no room for a change, it is lost, and the next notification says so.
 *
 * <p>A file worker begins the watch, the watcher's thread and file workers add changes, the thread that writes to the
 * connection takes them, and the connection's reader thread ends the watch. {@code lock} guards the fields.
 */
public final class ChangeWatch implements PushSource, WatchedTree.Listener {

    private static final int CREATED = InotifyCalls.IN_CREATE | InotifyCalls.IN_MOVED_TO;
    private static final int REMOVED = InotifyCalls.IN_DELETE | InotifyCalls.IN_MOVED_FROM;
    private static final int GONE = InotifyCalls.IN_DELETE_SELF | InotifyCalls.IN_MOVE_SELF | InotifyCalls.IN_UNMOUNT;
    private static final int WANTED = CREATED | REMOVED | GONE | InotifyCalls.IN_MODIFY | InotifyCalls.IN_ATTRIB;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Change> waiting = new ArrayList<>();
    private final WatchParams params;
    private final Outbound outbound;
    private final WaitingChanges memory;
    /** Bytes of memory that the waiting changes hold. */
    private long held;

    private Optional<WatchedTree> watched = Optional.empty();
    private boolean answered;
    private boolean scheduled;
    private boolean overflow;
    /** True once the file is gone. */
    private boolean gone;
    /** True once the client has ended the watch. */
    private boolean over;

    /** @param memory memory for waiting changes */
    ChangeWatch(WatchParams params, Outbound outbound, WaitingChanges memory) {
        this.params = params;
        this.memory = memory;
        this.outbound = outbound;
    }

    /**
     * Starts the watch. Runs on a file worker.
     *
     * @param visibility decides which paths the client may watch
     */
    public void begin(FileWatcher.Client watcher, FileWorkers workers, FileVisibility visibility) {
        WatchedTree begun = WatchedTree.of(params, watcher, workers, visibility, WANTED, this);
        boolean late;
        lock.lock();
        try {
            late = over || gone;
            watched = late ? Optional.empty() : Optional.of(begun);
        } finally {
            lock.unlock();
        }
        if (late) {
            begun.close();
        }
    }

    /** Called when the answer is queued: from now on notifications may follow. */
    public void answered() {
        lock.lock();
        try {
            answered = true;
        } finally {
            lock.unlock();
        }
        schedule();
    }

    boolean ended() {
        lock.lock();
        try {
            return over || gone;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the watch: it sends nothing from now on. Never waits. */
    void end() {
        Optional<WatchedTree> ended;
        lock.lock();
        try {
            over = true;
            forgetWaiting();
            ended = watched;
            watched = Optional.empty();
        } finally {
            lock.unlock();
        }
        ended.ifPresent(WatchedTree::close);
    }

    @Override
    public void lost() {
        lock.lock();
        try {
            overflow = true;
        } finally {
            lock.unlock();
        }
        schedule();
    }

    @Override
    public void changed(int mask, byte[] path) {
        Optional<WatchedTree> finished = Optional.empty();
        lock.lock();
        try {
            if (over || gone) {
                return;
            }
            overflow |= (mask & InotifyCalls.IN_Q_OVERFLOW) != 0;
            kind(mask).ifPresent(kind -> note(new Change(WatchedTree.below(params.path(), path), kind)));
            if ((mask & GONE) != 0 && path.length == 0) {
                gone = true;
                finished = watched;
                watched = Optional.empty();
            }
        } finally {
            lock.unlock();
        }
        finished.ifPresent(WatchedTree::close);
        schedule();
    }

    /** Adds a change. The lock is held. */
    private void note(Change change) {
        if (!waiting.isEmpty() && waiting.getLast().equals(change)) {
            return;
        }
        long bytes = WaitingChanges.bytes(change);
        if (waiting.size() < FsLimits.WAITING_CHANGES && memory.tryReserve(bytes)) {
            held += bytes;
            waiting.add(change);
        } else {
            overflow = true;
        }
    }

    /** Drops the waiting changes. The lock is held. */
    private void forgetWaiting() {
        waiting.clear();
        memory.release(held);
        held = 0;
    }

    private static Optional<Kind> kind(int mask) {
        if ((mask & CREATED) != 0) {
            return Optional.of(Kind.CREATED);
        }
        if ((mask & (REMOVED | GONE)) != 0) {
            return Optional.of(Kind.REMOVED);
        }
        if ((mask & InotifyCalls.IN_MODIFY) != 0) {
            return Optional.of(Kind.MODIFIED);
        }
        return (mask & InotifyCalls.IN_ATTRIB) != 0 ? Optional.of(Kind.ATTRIBUTES) : Optional.empty();
    }

    /** Schedules the watch on a new thread, which may wait for the socket; only once until all changes were taken. */
    private void schedule() {
        lock.lock();
        try {
            if (!answered || scheduled || over || nothingToSay()) {
                return;
            }
            scheduled = true;
        } finally {
            lock.unlock();
        }
        Threads.virtual("file-changes", () -> outbound.schedule(this));
    }

    /** Returns true if there is nothing to send. The lock is held. */
    private boolean nothingToSay() {
        return waiting.isEmpty() && !overflow;
    }

    @Override
    public boolean encodeNext(MessageBuffer out) {
        ChangedNotification next;
        lock.lock();
        try {
            if (over || nothingToSay()) {
                scheduled = false;
                return false;
            }
            next = new ChangedNotification(params.watchId(), waiting, overflow, gone);
            forgetWaiting();
            overflow = false;
        } finally {
            lock.unlock();
        }
        MessageEncoder.notification(out, FsMethodNames.CHANGED, next);
        return true;
    }

    @Override
    public void written() {}
}
