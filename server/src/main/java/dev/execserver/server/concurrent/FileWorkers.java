package dev.execserver.server.concurrent;

import dev.execserver.protocol.rpc.RpcException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
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
 * <p>A call that takes longer than {@link #LONG} while others wait steps aside: its thread is no longer one of the pool's,
 * and another takes its place, until {@link #MAX_ASIDE} have done so.
 *
 * <p>Calls are counted for the client whose request they are made for ({@link #onBehalfOf}), and all others for the
 * server. Nobody gets one more worker than stay free without it: the first takes half of them at most, those that have
 * stepped aside included, and leaves the other half to those who come later. Who waits gets what becomes free in turns.
 *
 * <p>Any thread may call; virtual threads park while they wait. {@code lock} guards who runs and waits; no locks are held
 * during the work.
 */
public final class FileWorkers implements AutoCloseable {

    /** Calls that may wait for a free worker before further ones are refused. */
    public static final int MAX_WAITING = 8192;

    /** Those of one client. */
    public static final int MAX_WAITING_OF_ONE = MAX_WAITING / 2;

    /** After this time a call is taken for one that hangs. */
    static final Duration LONG = Duration.ofSeconds(5);

    /** Threads beyond the pool's number. */
    public static final int MAX_ASIDE = 64;

    private static final ScopedValue<Client> CLIENT = ScopedValue.newInstance();

    private final ReentrantLock lock = new ReentrantLock();
    /** Clients of whom something waits. */
    private final ArrayDeque<Client> turns = new ArrayDeque<>();

    /** In the order of their begin, without those that have stepped aside. */
    private final LinkedHashSet<Run> running = new LinkedHashSet<>();

    private final Client server = new Client();
    private final ThreadPoolExecutor pool;
    private final int threads;
    private final Timers timers;
    private final Duration longTime;
    private int waiting;
    private int aside;
    private boolean lookPlanned;

    /** Somebody whose calls are counted: a connection. The lock of the workers guards it. */
    public static final class Client {
        private final ArrayDeque<Run> waiting = new ArrayDeque<>();
        private int running;
        private int aside;
    }

    /** A call. The lock guards its fields. */
    private final class Run implements Runnable {
        private final Client client;
        private final Runnable work;
        private long begunNanos;

        Run(Client client, Runnable work) {
            this.client = client;
            this.work = work;
        }

        @Override
        public void run() {
            try {
                work.run();
            } finally {
                ended(this);
            }
        }
    }

    /**
     * A pool.
     *
     * @param threads number of workers, at least 1
     * @param timers for looking whether one hangs
     */
    public FileWorkers(int threads, Timers timers) {
        this(threads, timers, LONG, Threads.daemons("files"));
    }

    FileWorkers(int threads, Timers timers, Duration longTime, ThreadFactory factory) {
        this.threads = threads;
        this.timers = timers;
        this.longTime = longTime;
        this.pool = new ThreadPoolExecutor(
                threads, threads + MAX_ASIDE, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
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
        Run run = new Run(CLIENT.orElse(server), work);
        if (!admit(run)) {
            return;
        }
        try {
            pool.execute(run);
        } catch (OutOfMemoryError denied) {
            queueForThoseThatRun(run);
        } catch (RejectedExecutionException closed) {
            ended(run);
            throw RpcException.internal("the server is shutting down").withData("reason", "shuttingDown");
        }
    }

    /** pthread_create(3) fails with EAGAIN at the pids limit of a control group: then fewer workers have to do. */
    private void queueForThoseThatRun(Run run) {
        if (pool.getPoolSize() == 0 || !pool.getQueue().offer(run)) {
            ended(run);
            throw RpcException.internal(
                            "no thread can be started for the call: Resource temporarily unavailable (os error 11)")
                    .withData("reason", "fileWorkersBusy");
        }
    }

    /** True when it may run now, and is counted; false when it waits. */
    private boolean admit(Run run) {
        Client client = run.client;
        lock.lock();
        try {
            if (client.waiting.isEmpty() && mayRun(client)) {
                begin(run);
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
            client.waiting.add(run);
            waiting++;
            planLook();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private boolean mayRun(Client client) {
        return client.running < threads - running.size() && client.running + client.aside < (threads + 1) / 2;
    }

    /** Under the lock. */
    private void begin(Run run) {
        run.begunNanos = System.nanoTime();
        run.client.running++;
        running.add(run);
    }

    /** The thread that did it, or another one, goes on with what waits. */
    private void ended(Run run) {
        goOn(() -> {
            if (running.remove(run)) {
                run.client.running--;
            } else {
                run.client.aside--;
                aside--;
            }
        });
    }

    /** While something waits it is looked whether the oldest call hangs. Under the lock. */
    private void planLook() {
        if (!lookPlanned && waiting > 0 && aside < MAX_ASIDE && !running.isEmpty()) {
            lookPlanned = true;
            long left = longTime.toNanos() - (System.nanoTime() - running.getFirst().begunNanos);
            var _ = timers.after(Duration.ofNanos(left), "file-look", () -> goOn(this::stepAside));
        }
    }

    /** Under the lock. */
    private void stepAside() {
        lookPlanned = false;
        long now = System.nanoTime();
        while (waiting > 0
                && aside < MAX_ASIDE
                && !running.isEmpty()
                && now - running.getFirst().begunNanos >= longTime.toNanos()) {
            Client client = running.removeFirst().client;
            client.running--;
            client.aside++;
            aside++;
        }
    }

    /** @param change of what runs, after which others may */
    private void goOn(Runnable change) {
        List<Run> next = new ArrayList<>();
        lock.lock();
        try {
            change.run();
            for (int left = turns.size(); left > 0 && running.size() < threads; left--) {
                Client client = turns.remove();
                if (mayRun(client)) {
                    waiting--;
                    Run run = client.waiting.remove();
                    begin(run);
                    next.add(run);
                }
                if (!client.waiting.isEmpty()) {
                    turns.add(client);
                }
            }
            resize();
            planLook();
        } finally {
            lock.unlock();
        }
        execute(next);
    }

    /** Under the lock. */
    private void resize() {
        if (pool.getCorePoolSize() == threads + aside) {
            return;
        }
        try {
            pool.setCorePoolSize(threads + aside);
        } catch (OutOfMemoryError denied) {
            // it would have started one for what is queued
        }
    }

    /** Without a thread for it the work waits until one is free. */
    private void execute(List<Run> next) {
        for (Run run : next) {
            try {
                pool.execute(run);
            } catch (OutOfMemoryError denied) {
                boolean _ = pool.getQueue().offer(run);
            } catch (RejectedExecutionException closed) {
                return; // nobody waits for it any more either
            }
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
