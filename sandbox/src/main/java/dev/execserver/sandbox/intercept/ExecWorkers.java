package dev.execserver.sandbox.intercept;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Platform threads that look at tasks: they touch files, and a tracee is tied to its thread. Threads are made when needed and
 * end when idle. Any thread may submit; {@link CommandWorkers} shares them out.
 */
final class ExecWorkers implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ExecWorkers.class.getName());
    private static final int MAX_THREADS = 512;
    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            0,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            InterceptThreads.workers(ExecWorkers::ended));

    /** Ends the worker that throws it, which lets its dead tracee go, see ptrace(2). Another thread takes its place. */
    static final class TraceeEnded extends RuntimeException {
        TraceeEnded() {
            super("the tracee has ended", null, false, false);
        }
    }

    /** Runs the task; false if all threads are busy. */
    boolean run(Runnable task) {
        try {
            pool.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private static void ended(Thread thread, Throwable cause) {
        if (!(cause instanceof TraceeEnded)) {
            LOG.log(System.Logger.Level.ERROR, "a worker has failed", cause);
        }
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
