package dev.execserver.server.concurrent;

import dev.execserver.protocol.rpc.RpcException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The bounded pool of platform threads on which all file-system work runs.
 *
 * <p>A call into a file system can hang for ever (a dead network mount), and a virtual thread that hangs in native code
 * keeps its carrier: two such calls on a machine with two processors would stop every other virtual thread. Here only
 * the pool's own threads can hang; when all of them do and the queue is full, further calls fail at once.
 *
 * <p>Any thread may call; virtual threads park while they wait. No locks are held during the work.
 */
public final class FileWorkers implements AutoCloseable {

    /** Calls that may wait for a free worker before further ones are refused. */
    public static final int MAX_WAITING = 8192;

    private final ThreadPoolExecutor pool;
    private final int threads;

    /** @param threads number of workers, at least 1 */
    public FileWorkers(int threads) {
        this(threads, Threads.daemons("files"));
    }

    FileWorkers(int threads, ThreadFactory factory) {
        this.threads = threads;
        this.pool = new ThreadPoolExecutor(
                threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), factory);
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs {@code work} on a worker and waits for it.
     *
     * @throws RpcException -32603 with {@code data.reason = "fileWorkersBusy"} when the pool and its queue are full
     */
    public <T> T call(Callable<T> work) {
        return start(work).await();
    }

    /**
     * Hands {@code work} to a worker and does not wait yet.
     *
     * @throws RpcException as {@link #call}
     */
    public <T> Step<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        submit(task);
        return new Step<>(task);
    }

    /** Gives back what was opened, and waits for that; however busy the workers are. */
    public void release(Runnable work) {
        Step<Boolean> step;
        try {
            step = start(() -> {
                work.run();
                return true;
            });
        } catch (RpcException busy) {
            Threads.daemon("file-closer", work);
            return;
        }
        boolean _ = step.await();
    }

    /** Work under way. */
    public static final class Step<T> {
        private final FutureTask<T> task;

        private Step(FutureTask<T> task) {
            this.task = task;
        }

        /** Waits for its end, however often the thread is interrupted: it uses what belongs to the caller. */
        public T await() {
            return FileWorkers.await(task);
        }
    }

    /** Hands {@code work} to a worker without waiting; failures are the work's own business. */
    public void submit(Runnable work) {
        try {
            pool.execute(work);
        } catch (OutOfMemoryError denied) {
            queueForThoseThatRun(work);
        } catch (RejectedExecutionException full) {
            throw RpcException.internal("all " + threads + " file workers are busy and " + MAX_WAITING
                            + " calls wait already; see --fs-threads")
                    .withData("reason", "fileWorkersBusy");
        }
    }

    /** pthread_create(3) fails with EAGAIN at the pids limit of a control group: then fewer workers have to do. */
    private void queueForThoseThatRun(Runnable work) {
        if (pool.getPoolSize() == 0 || !pool.getQueue().offer(work)) {
            throw RpcException.internal(
                            "no thread can be started for the call: Resource temporarily unavailable (os error 11)")
                    .withData("reason", "fileWorkersBusy");
        }
    }

    private static <T> T await(FutureTask<T> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw unchecked(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException unchecked(Throwable cause) {
        return switch (cause) {
            case Error error -> throw error;
            case RuntimeException exception -> exception;
            default -> new IllegalStateException(cause);
        };
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
