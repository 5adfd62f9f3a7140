package dev.execserver.sandbox.spawn;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Repeats an attempt until it succeeds. The first pause is a millisecond; pauses double up to a second. The attempts run on a
 * platform thread that lives only while there is work, so they may touch files. Any thread may call {@link #start}. The lock
 * guards the fields and is not held during an attempt.
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
     * Makes an idle instance; {@link #start} begins the attempts.
     *
     * @param name name of the thread
     * @param attempt returns true if nothing is left to do
     */
    public Retry(String name, BooleanSupplier attempt) {
        this.name = name;
        this.attempt = attempt;
    }

    /** Begins the attempts. Never waits. Has no effect after {@link #close}. */
    public void start() {
        lock.lock();
        try {
            asked = true;
            if (!running && !closed) {
                running = true;
                Thread _ = SpawnThreads.daemon(name, this::run);
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

    /** Waits. Returns false if closed. */
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

    /** Ends the attempts without waiting for a running one. */
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
