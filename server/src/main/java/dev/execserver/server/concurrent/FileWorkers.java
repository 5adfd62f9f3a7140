package dev.execserver.server.concurrent;

import dev.execserver.protocol.rpc.RpcException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded pool of platform threads on which all file-system work runs.
 *
 * <p>A call into a file system can hang for ever (a dead network mount), and a virtual thread that hangs in native code
 * keeps its carrier: two such calls on a machine with two processors would stop every other virtual thread. Here only
 * the pool's own threads can hang; when all of them do and the queue is full, further calls fail at once.
 *
 * <p>Calls are counted for the client whose request they are made for ({@link #onBehalfOf}), and all others for the
 * server. Nobody gets one more worker than stay free without it: the first takes half of them at most, and leaves the
 * other half to those who come later. Who waits gets what becomes free in turns.
 *
 * <p>Any thread may call; virtual threads park while they wait. {@code lock} guards who runs and waits; no locks are held
 * during the work.
 */
public final class FileWorkers implements AutoCloseable {

    /** Calls that may wait for a free worker before further ones are refused. */
    public static final int MAX_WAITING = 8192;

    /** Those of one client. */
    public static final int MAX_WAITING_OF_ONE = MAX_WAITING / 2;

    private static final ScopedValue<Client> CLIENT = ScopedValue.newInstance();

    private final ReentrantLock lock = new ReentrantLock();
    /** Clients of whom something waits. */
    private final ArrayDeque<Client> turns = new ArrayDeque<>();

    private final Client server = new Client();
    private final ThreadPoolExecutor pool;
    private final int threads;
    private int running;
    private int waiting;

    /** Somebody whose calls are counted: a connection. The lock of the workers guards it. */
    public static final class Client {
        private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
        private int running;
    }

    /** @param threads number of workers, at least 1 */
    public FileWorkers(int threads) {
        this(threads, Threads.daemons("files"));
    }

    FileWorkers(int threads, ThreadFactory factory) {
        this.threads = threads;
        this.pool =
                new ThreadPoolExecutor(threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
    }

    /** Runs {@code work} here; what it gives to workers is counted for the client. */
    public static void onBehalfOf(Client client, Runnable work) {
        ScopedValue.where(CLIENT, client).run(work);
    }

    /** Work for another thread whose calls are counted for the client that this thread works for. */
    public static Runnable forSameClient(Runnable work) {
        return CLIENT.isBound() ? withClient(CLIENT.get(), work) : work;
    }

    private static Runnable withClient(Client client, Runnable work) {
        return () -> onBehalfOf(client, work);
    }

    /**
     * Runs {@code work} on a worker and waits for it.
     *
     * @throws RpcException -32603 with {@code data.reason = "fileWorkersBusy"} when too many calls wait already
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
        Client client = CLIENT.orElse(server);
        if (!admit(client, work)) {
            return;
        }
        try {
            pool.execute(counted(client, work));
        } catch (OutOfMemoryError denied) {
            queueForThoseThatRun(client, work);
        } catch (RejectedExecutionException closed) {
            ended(client);
            throw RpcException.internal("the server is shutting down").withData("reason", "shuttingDown");
        }
    }

    private Runnable counted(Client client, Runnable work) {
        return () -> {
            try {
                work.run();
            } finally {
                ended(client);
            }
        };
    }

    /** pthread_create(3) fails with EAGAIN at the pids limit of a control group: then fewer workers have to do. */
    private void queueForThoseThatRun(Client client, Runnable work) {
        if (pool.getPoolSize() == 0 || !pool.getQueue().offer(counted(client, work))) {
            ended(client);
            throw RpcException.internal(
                            "no thread can be started for the call: Resource temporarily unavailable (os error 11)")
                    .withData("reason", "fileWorkersBusy");
        }
    }

    /** True when it may run now, and is counted; false when it waits. */
    private boolean admit(Client client, Runnable work) {
        lock.lock();
        try {
            if (client.waiting.isEmpty() && mayRun(client)) {
                count(client, 1);
                return true;
            }
            if (waiting >= MAX_WAITING || client.waiting.size() >= MAX_WAITING_OF_ONE) {
                throw RpcException.internal("the " + threads + " file workers are busy and " + client.waiting.size()
                                + " calls of this client wait already, " + waiting + " of all; see --fs-threads")
                        .withData("reason", "fileWorkersBusy");
            }
            if (client.waiting.isEmpty()) {
                turns.add(client);
            }
            client.waiting.add(work);
            waiting++;
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private boolean mayRun(Client client) {
        return client.running < threads - running;
    }

    /** Under the lock. */
    private void count(Client client, int more) {
        client.running += more;
        running += more;
    }

    /** The thread that did it, or another one, goes on with what waits. */
    private void ended(Client client) {
        List<Runnable> next = new ArrayList<>();
        lock.lock();
        try {
            count(client, -1);
            for (int left = turns.size(); left > 0 && running < threads; left--) {
                Client other = turns.remove();
                if (mayRun(other)) {
                    count(other, 1);
                    waiting--;
                    next.add(counted(other, other.waiting.remove()));
                }
                if (!other.waiting.isEmpty()) {
                    turns.add(other);
                }
            }
        } finally {
            lock.unlock();
        }
        next.forEach(this::goOn);
    }

    /** With what waited. It has a thread in any case: this one is free in a moment. */
    private void goOn(Runnable counted) {
        try {
            pool.execute(counted);
        } catch (OutOfMemoryError denied) {
            boolean _ = pool.getQueue().offer(counted);
        } catch (RejectedExecutionException closed) {
            // nobody waits for it any more either
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
