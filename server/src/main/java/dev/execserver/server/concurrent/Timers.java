package dev.execserver.server.concurrent;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Work for later, started on a virtual thread when its time comes; one platform thread keeps the time. */
public final class Timers implements AutoCloseable {

    /** When it is tried again to start a thread that could not be started. */
    private static final Duration AGAIN = Duration.ofMillis(100);

    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, Threads.daemons("clock"));

    private final BiConsumer<String, Runnable> starter;

    public Timers() {
        this(Threads::virtual);
    }

    /** @param starter starts a thread of that name for the work */
    Timers(BiConsumer<String, Runnable> starter) {
        this.starter = starter;
        clock.setRemoveOnCancelPolicy(true);
        clock.prestartAllCoreThreads(); // later there may be no thread to be had, and nothing would ever expire
    }

    /** Handle of planned work. */
    public interface Planned {
        /** Prevents the work when it has not begun. */
        void cancel();
    }

    /** Plans work; after {@link #close} nothing is done any more, for the server is ending. */
    public Planned after(Duration delay, String name, Runnable work) {
        try {
            var planned = clock.schedule(() -> start(name, work), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> planned.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    /** pthread_create(3) fails with EAGAIN at the pids limit of a control group, and a virtual thread may want a carrier. */
    private void start(String name, Runnable work) {
        try {
            starter.accept(name, work);
        } catch (OutOfMemoryError denied) {
            var _ = after(AGAIN, name, work);
        }
    }

    /** How much work waits for its time. */
    public int planned() {
        return clock.getQueue().size();
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
