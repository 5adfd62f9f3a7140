package dev.execserver.server.proxy.http;

import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Timer of a connection. Ends it at a fixed time, or when no byte has moved for too long. The threads of the connection
 * enter, and the clock. The lock guards the phase and the planned check; {@code touched} is volatile.
 */
public final class ConnectionTimer implements AutoCloseable {

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
    public ConnectionTimer(Timers timers, Runnable expired) {
        this.timers = timers;
        this.expired = expired;
    }

    /** Limits the connection to this time from now, even if bytes move. */
    public void within(Duration limit) {
        begin(limit, false);
    }

    /** Limits the time without any byte on the connection. */
    public void idle(Duration limit) {
        begin(limit, true);
    }

    /** Reports that bytes have moved. */
    public void touch() {
        if (sliding) {
            touched = System.nanoTime();
        }
    }

    /** Returns true if this timer has ended the connection. */
    public boolean expired() {
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
