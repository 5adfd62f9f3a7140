package dev.execserver.server.concurrent;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Starts planned work on a virtual thread when its time comes. One platform thread keeps the time. Any thread may call.
 */
public final class Timers implements AutoCloseable {

    /** Time until a thread that could not be started is tried again. */
    private static final Duration AGAIN = Duration.ofMillis(100);

    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, Threads.daemons("clock"));

    private final BiConsumer<String, Runnable> starter;

    public Timers() {
        this(Threads::virtual);
    }

    /** @param starter starts a thread with that name for the work */
    Timers(BiConsumer<String, Runnable> starter) {
        this.starter = starter;
        clock.setRemoveOnCancelPolicy(true);
        // start it now: later no thread may be available, and nothing would ever expire
        clock.prestartAllCoreThreads();
        startClockOfVirtualThreads();
    }

    /**
     * Makes a virtual thread wait: the JDK starts its own clock thread for the first one that does. If that thread cannot be
     * started (JDK 25), no virtual thread wakes in time again.
     */
    private static void startClockOfVirtualThreads() {
        Thread _ = Threads.virtual("first-wait", () -> LockSupport.parkNanos(1));
    }

    /** Handle of planned work. */
    public interface Planned {
        /** Cancels the work if it has not begun. */
        void cancel();
    }

    /** Plans work. After {@link #close} nothing is done any more, because the server is ending. */
    public Planned after(Duration delay, String name, Runnable work) {
        try {
            var planned = clock.schedule(() -> start(name, work), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> planned.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    /**
     * Starts the work, and tries again later if no thread can be started. pthread_create(3) fails with EAGAIN at the
     * pids limit of a control group, and a virtual thread may need a new carrier.
     */
    private void start(String name, Runnable work) {
        try {
            starter.accept(name, work);
        } catch (OutOfMemoryError denied) {
            var _ = after(AGAIN, name, work);
        }
    }

    /** Returns the number of planned tasks. */
    public int planned() {
        return clock.getQueue().size();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
