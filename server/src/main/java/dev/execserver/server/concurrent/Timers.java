package dev.execserver.server.concurrent;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Work for later, started on a virtual thread when its time comes; one platform thread keeps the time. */
public final class Timers implements AutoCloseable {

    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, Threads.daemons("clock"));

    public Timers() {
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
            var planned = clock.schedule(() -> Threads.virtual(name, work), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> planned.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
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
