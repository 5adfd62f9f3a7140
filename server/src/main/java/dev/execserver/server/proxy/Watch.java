package dev.execserver.server.proxy;

import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ends a connection whose time is up: in a phase with a fixed end, or when nothing has moved for too long. The threads of the
 * connection enter, and the clock. The lock guards the phase and the planned look; {@code touched} is volatile.
 */
final class Watch implements AutoCloseable {

    private final Timers timers;
    private final Runnable expired;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long touched = System.nanoTime();
    private Timers.Planned planned = () -> {};
    private long limitNanos;
    private boolean sliding;
    private int phase;
    private volatile boolean late;

    /** @param expired closes the connection; runs on a thread of its own */
    Watch(Timers timers, Runnable expired) {
        this.timers = timers;
        this.expired = expired;
    }

    /** The connection has this long from now, whatever moves on it. */
    void within(Duration limit) {
        begin(limit, false);
    }

    /** The connection ends when nothing moves for so long. */
    void idle(Duration limit) {
        begin(limit, true);
    }

    /** Something moves. */
    void touch() {
        if (sliding) {
            touched = System.nanoTime();
        }
    }

    /** Whether it was this that has ended the connection. */
    boolean expired() {
        return late;
    }

    private void begin(Duration limit, boolean slides) {
        lock.lock();
        try {
            planned.cancel();
            phase++;
            touched = System.nanoTime();
            limitNanos = limit.toNanos();
            sliding = slides;
            plan(limitNanos);
        } finally {
            lock.unlock();
        }
    }

    private void plan(long nanos) {
        int ofPhase = phase;
        planned = timers.after(Duration.ofNanos(nanos), "proxy-watch", () -> look(ofPhase));
    }

    private void look(int ofPhase) {
        lock.lock();
        try {
            if (ofPhase != phase) {
                return;
            }
            long left = touched + limitNanos - System.nanoTime();
            if (left > 0) {
                plan(left);
                return;
            }
            late = true;
        } finally {
            lock.unlock();
        }
        expired.run();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            phase++;
            planned.cancel();
        } finally {
            lock.unlock();
        }
    }
}
