package dev.execserver.server.concurrent;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.LongWork;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.tracing.Traced;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounded pools of platform threads on which all file-system work runs. A call into a file system can hang for ever (a
 * dead network mount), and a virtual thread that hangs in native code keeps its carrier: with two processors, two such
 * calls would stop all virtual threads. Here only threads of the pool hang. When all hang and the queue is full,
 * further calls fail at once.
 *
 * <p>Long work (searches, walks, copies) has a pool of its own with half as many threads, so that the start of a
 * process never waits for a search. Each call is counted for its client ({@link FileClient#onBehalfOf}) or for the
 * server. Any thread may call; virtual threads park. {@code lock} guards the lists and counts and is not held while
 * work runs.
 */
public final class FileWorkers implements AutoCloseable {

    /** Calls that may wait for a free worker before further ones are refused. */
    public static final int MAX_WAITING = 8192;

    /** Waiting calls of one client before further ones are refused. */
    public static final int MAX_WAITING_OF_ONE = MAX_WAITING / 2;

    /**
     * A call is taken for hanging when it gives no sign of life ({@link LongWork}) for this time while others wait. It
     * then steps aside: its thread no longer counts for the pool, and another thread takes its place.
     */
    static final Duration LONG = Duration.ofSeconds(5);

    private static final Duration SOON = Duration.ofMillis(1);

    /** Calls that may have stepped aside at once, so threads beyond the number of the pool. */
    public static final int MAX_ASIDE = 64;

    private final ReentrantLock lock = new ReentrantLock();
    /** Clients that have waiting calls. */
    private final ArrayDeque<FileClient> turns = new ArrayDeque<>();
    /** Running calls in the order of their begin, without those that have stepped aside. */
    private final LinkedHashSet<Run> running = new LinkedHashSet<>();

    private final FileClient server = new FileClient();
    /** Pool for long work; null in that pool itself. */
    private final FileWorkers longWork;

    private final ThreadPoolExecutor pool;
    private final int threads;
    private final Timers timers;
    private final Duration longTime;
    private int waiting;
    private int aside;
    private boolean lookPlanned;

    /** One call. The lock guards its fields, except the last sign of life, which the thread of the call writes. */
    final class Run implements Runnable, LongWork.Watcher {
        private final FileClient client;
        private final Runnable work;
        /** The same work, if nobody but the client waits for its result. */
        private final Optional<FutureTask<?>> wanted;

        private volatile long signNanos;

        Run(FileClient client, Runnable work, Optional<FutureTask<?>> wanted) {
            this.client = client;
            this.work = Traced.forSameSpan(Caller.forSameCaller(work));
            this.wanted = wanted;
        }

        @Override
        public void step() {
            signNanos = System.nanoTime();
            if (unwanted()) {
                throw new LongWork.AbandonedException();
            }
        }

        boolean unwanted() {
            return wanted.isPresent() && client.departure().happened();
        }

        @Override
        public void run() {
            try {
                LongWork.watched(this, work);
            } finally {
                ended(this);
            }
        }
    }

    /**
     * Makes a pool.
     *
     * @param threads number of workers, at least 1
     * @param timers plans the checks for hanging calls
     */
    public FileWorkers(int threads, Timers timers) {
        this(
                threads,
                timers,
                LONG,
                Threads.daemons("files"),
                new FileWorkers((threads + 1) / 2, timers, LONG, Threads.daemons("long-files"), null));
    }

    FileWorkers(int threads, Timers timers, Duration longTime, ThreadFactory factory) {
        this(threads, timers, longTime, factory, null);
    }

    private FileWorkers(int threads, Timers timers, Duration longTime, ThreadFactory factory, FileWorkers longWork) {
        this.threads = threads;
        this.timers = timers;
        this.longTime = longTime;
        this.longWork = longWork;
        this.pool = new ThreadPoolExecutor(
                threads, threads + MAX_ASIDE, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
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
     * Does the same as {@link #call} for work whose result only the client of this thread needs. When the client goes,
     * waiting work is dropped, and running work ends at its next step.
     */
    public <T> T callWhileWanted(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        submit(new Run(client(), task, Optional.of(task)));
        return FileTasks.await(task);
    }

    /** Does the same as {@link #callWhileWanted} for work that may keep a processor or a disk busy for long. */
    public <T> T callLong(Callable<T> work) {
        return (longWork == null ? this : longWork).callWhileWanted(work);
    }

    private FileClient client() {
        FileClient client = FileClient.current().orElse(server);
        return longWork == null && client.longWork != null ? client.longWork : client;
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

    /** Runs work that frees what was opened, and waits for its end. Works even if all workers are busy. */
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

    /** A call that was started. */
    public static final class Step<T> {
        private final FutureTask<T> task;

        private Step(FutureTask<T> task) {
            this.task = task;
        }

        /** Waits for the end even if the thread is interrupted, because the work uses data of the caller. */
        public T await() {
            return FileTasks.await(task);
        }
    }

    /** Hands {@code work} to a worker without waiting. The work itself must handle its failures. */
    public void submit(Runnable work) {
        submit(new Run(client(), work, Optional.empty()));
    }

    private void submit(Run run) {
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

    /** Queues the call for the existing threads: pthread_create(3) gave EAGAIN, as at the pids limit of a control group. */
    private void queueForThoseThatRun(Run run) {
        if (pool.getPoolSize() == 0 || !pool.getQueue().offer(run)) {
            ended(run);
            throw RpcException.internal(
                            "no thread can be started for the call: Resource temporarily unavailable (os error 11)")
                    .withData("reason", "fileWorkersBusy");
        }
    }

    /** Returns true if the call may run now; it is counted then. Returns false if it waits. */
    private boolean admit(Run run) {
        FileClient client = run.client;
        lock.lock();
        try {
            client.asks(this);
            if (run.unwanted()) {
                throw FileTasks.gone();
            }
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

    /** Drops the waiting calls of a client that has gone. */
    void dropWaiting(FileClient client) {
        List<Run> dropped = new ArrayList<>();
        lock.lock();
        try {
            client.waiting.removeIf(run -> run.unwanted() && dropped.add(run));
            waiting -= dropped.size();
            if (client.waiting.isEmpty()) {
                turns.remove(client);
            }
        } finally {
            lock.unlock();
        }
        dropped.forEach(run -> run.wanted.orElseThrow().cancel(false));
    }

    /**
     * Returns true if the client may run one more call. No client gets one more worker than stay free without it: the
     * first gets half of them at most, calls that have stepped aside included. Under the lock.
     */
    private boolean mayRun(FileClient client) {
        return client.running < threads - running.size() && client.running + client.aside < (threads + 1) / 2;
    }

    /** Counts the call as running. Under the lock. */
    private void begin(Run run) {
        run.signNanos = System.nanoTime();
        run.client.running++;
        running.add(run);
    }

    /** Uncounts the call. This thread or another one goes on with waiting calls. */
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

    /**
     * Plans a check for hanging calls, at the time when the oldest call would be taken for one, if something waits.
     * Under the lock.
     */
    private void planLook() {
        if (!lookPlanned && waiting > 0 && aside < MAX_ASIDE && !running.isEmpty()) {
            lookPlanned = true;
            long now = System.nanoTime();
            long quiet =
                    running.stream().mapToLong(run -> now - run.signNanos).max().orElseThrow();
            long left = Math.max(SOON.toNanos(), longTime.toNanos() - quiet);
            var _ = timers.after(Duration.ofNanos(left), "file-look", () -> goOn(this::stepAside));
        }
    }

    /** Moves the hanging calls aside. Under the lock. */
    private void stepAside() {
        lookPlanned = false;
        long now = System.nanoTime();
        List<Run> quiet = running.stream()
                .filter(run -> now - run.signNanos >= longTime.toNanos())
                .limit(waiting > 0 ? MAX_ASIDE - aside : 0)
                .toList();
        for (Run run : quiet) {
            running.remove(run);
            run.client.running--;
            run.client.aside++;
            aside++;
        }
    }

    /**
     * Applies a change and starts the waiting calls that may run after it. The clients take turns.
     *
     * @param change changes the counts of running calls
     */
    private void goOn(Runnable change) {
        List<Run> next = new ArrayList<>();
        lock.lock();
        try {
            change.run();
            for (int left = turns.size(); left > 0 && running.size() < threads; left--) {
                FileClient client = turns.remove();
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

    /** Changes the size of the pool to the number of workers plus the calls that have stepped aside. Under the lock. */
    private void resize() {
        if (pool.getCorePoolSize() == threads + aside) {
            return;
        }
        try {
            pool.setCorePoolSize(threads + aside);
        } catch (OutOfMemoryError denied) {
            // a new thread was to run queued work, and could not be started
        }
    }

    /** Gives the calls to the pool. If no thread can be started, a call waits until a thread is free. */
    private void execute(List<Run> next) {
        for (Run run : next) {
            try {
                pool.execute(run);
            } catch (OutOfMemoryError denied) {
                boolean _ = pool.getQueue().offer(run);
            } catch (RejectedExecutionException closed) {
                return; // nobody waits for the calls any more
            }
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
        if (longWork != null) {
            longWork.close();
        }
    }
}
