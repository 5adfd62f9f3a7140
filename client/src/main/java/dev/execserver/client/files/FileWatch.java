package dev.execserver.client.files;

import dev.execserver.protocol.fs.ChangedNotification;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Delivers changes of a file, or of the entries of a directory. It ends with the connection, when the watched file is
 * gone, or when it is closed. {@code lock} guards the waiting notifications; any thread may take them.
 */
public final class FileWatch implements AutoCloseable {

    /** Limit of waiting notifications. If the caller is too slow, they are replaced by one that reports the loss. */
    static final int MAX_WAITING = 1_024;

    /** Limit of the bytes of all waiting paths; {@link #CHANGE_BYTES} is added for each change. */
    static final long MAX_WAITING_BYTES = 4 << 20;

    static final int CHANGE_BYTES = 128;

    private final long id;
    private final Runnable onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<ChangedNotification> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean ended;

    FileWatch(long id, Runnable onClose) {
        this.id = id;
        this.onClose = onClose;
    }

    /** Waits for the next notification; empty when the watch has ended or the limit has passed. */
    public Optional<ChangedNotification> next(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty() && !ended && left > 0) {
                left = changed.awaitNanos(left);
            }
            Optional<ChangedNotification> first = Optional.ofNullable(waiting.poll());
            waitingBytes -= first.map(FileWatch::cost).orElse(0L);
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if nothing more comes, except the notifications that already wait. */
    public boolean ended() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    void add(ChangedNotification notification) {
        lock.lock();
        try {
            long cost = cost(notification);
            if (waiting.size() >= MAX_WAITING || waitingBytes + cost > MAX_WAITING_BYTES) {
                waiting.clear();
                waitingBytes = 0;
                waiting.add(new ChangedNotification(id, List.of(), true, false));
            }
            if (cost <= MAX_WAITING_BYTES) {
                waiting.add(notification);
                waitingBytes += cost;
            }
            ended |= notification.ended();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static long cost(ChangedNotification notification) {
        return notification.changes().stream()
                .mapToLong(change -> CHANGE_BYTES + change.path().toUri().length())
                .sum();
    }

    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the watch and tells the server, without waiting for its answer. */
    @Override
    public void close() {
        end();
        onClose.run();
    }
}
