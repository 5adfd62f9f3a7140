package dev.execserver.server.rpc;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lets some calls of a connection run at once. The others wait without a thread. With a thread each they would hold several
 * times as much, would get neither a file worker nor memory any sooner, and would delay the threads of other connections.
 *
 * <p>Any thread; {@code lock} guards who runs and waits, and is not held while a call is started.
 */
final class CallLine {

    /** Calls of one connection that run at once: more than it has file workers, so that no worker waits for a call to start. */
    static final int AT_ONCE = 32;

    /** Calls of all connections that run at once, unless every connection has only one. */
    static final int OF_ALL = 128;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<BooleanSupplier> waiting = new ArrayDeque<>();
    private final AtomicInteger busyLines;
    private int running;

    /** @param busyLines counts the lines of all connections in which a call runs */
    CallLine(AtomicInteger busyLines) {
        this.busyLines = busyLines;
    }

    /**
     * Starts a call, now or after others have ended.
     *
     * @param start returns false when the call could not be started; else {@link #ended} follows
     */
    void enter(BooleanSupplier start) {
        lock.lock();
        try {
            waiting.add(start);
        } finally {
            lock.unlock();
        }
        startNext();
    }

    /**
     * Ends a call that was started. Its thread calls this and pauses before it starts the next call: a carrier thread looks for
     * threads that sockets have woken only if it has nothing left of its own to run.
     */
    void ended() {
        if (leave()) {
            LockSupport.parkNanos(this, 1);
            startNext();
        }
    }

    private void startNext() {
        for (BooleanSupplier next = next(); next != null; next = next()) {
            if (!next.getAsBoolean()) {
                boolean _ = leave();
            }
        }
    }

    /** Returns true if others wait. */
    private boolean leave() {
        lock.lock();
        try {
            running--;
            if (running == 0) {
                busyLines.decrementAndGet();
            }
            return !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Null when nobody waits, or enough run. */
    private BooleanSupplier next() {
        lock.lock();
        try {
            if (waiting.isEmpty() || running >= allowed()) {
                return null;
            }
            if (running == 0) {
                busyLines.incrementAndGet();
            }
            running++;
            return waiting.remove();
        } finally {
            lock.unlock();
        }
    }

    private int allowed() {
        return Math.clamp(OF_ALL / Math.max(1, busyLines.get()), 1, AT_ONCE);
    }
}
