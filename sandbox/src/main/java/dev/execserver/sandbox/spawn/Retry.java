package dev.execserver.sandbox.spawn;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Tries something until it succeeds, at first after a millisecond and at last each second. The attempts run on a platform
 * thread that lives only while there is something to try, so they may touch files. Any thread may ask; the lock guards the
 * fields and is not held during an attempt.
 */
public final class Retry implements AutoCloseable {
    private static final long FIRST_PAUSE = Duration.ofMillis(1).toNanos();
    private static final long MAX_PAUSE = Duration.ofSeconds(1).toNanos();

    private final String name;
    private final BooleanSupplier attempt;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean running;
    private boolean asked;
    private boolean closed;

    /**
     * Nothing is tried before {@link #start}.
     *
     * @param name of the thread
     * @param attempt whether nothing is left to try
     */
    public Retry(String name, BooleanSupplier attempt) {
        this.name = name;
        this.attempt = attempt;
    }

    /** There is something to try. Never waits; nothing happens after {@link #close}. */
    public void start() {
        lock.lock();
        try {
            asked = true;
            if (!running && !closed) {
                running = true;
                Thread _ = Threads.daemon(name, this::run);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long pause = FIRST_PAUSE;
        while (paused(pause)) {
            if (attempt.getAsBoolean() && finished()) {
                return;
            }
            pause = Math.min(2 * pause, MAX_PAUSE);
        }
    }

    /** False when it was closed. */
    private boolean paused(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            asked = false;
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean finished() {
        lock.lock();
        try {
            running = asked;
            return !asked;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the attempts; one that is under way is not waited for. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
