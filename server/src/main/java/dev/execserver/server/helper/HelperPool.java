package dev.execserver.server.helper;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.plan.LaunchPlan;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The helpers of the server. Each serves one view of one session. It is reused only if the plan for a request, made
 * anew from the present files, equals the helper's plan, identities of files included, and nothing was mounted since.
 * In one-shot mode it is never reused; the next one for the same view is started ahead of time.
 *
 * <p>Request threads lease, the clock ends idle helpers. {@code lock} guards the fields and is not held while a helper
 * starts or works. The table is in order of use, so an idle helper near its front is the one to give up.
 */
final class HelperPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HelperPool.class);
    /** Longest wait of the server's stop for running starts and ends. */
    private static final Duration ENDS_LIMIT = Duration.ofSeconds(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    /** One-shot helpers that carry out their request. No other request finds them. */
    private final Map<Entry, Key> single = new HashMap<>();

    /** Counts running starts and ends of helpers, and the pool itself. */
    private final Phaser underWay = new Phaser(1);

    private final Timers timers;
    private final Bounds bounds;
    private boolean closed;

    /**
     * Limits of the pool.
     *
     * @param maxHelpers largest number of helper processes
     * @param oneRequestEach true if a helper ends after its first request
     * @param idle time after which an unused helper ends
     * @param patience longest wait of a request while all helpers are busy
     */
    record Bounds(int maxHelpers, boolean oneRequestEach, Duration idle, Duration patience) {
        static final Duration IDLE = Duration.ofSeconds(60);
        static final Duration PATIENCE = Duration.ofSeconds(10);

        static Bounds of(int maxHelpers, boolean oneRequestEach) {
            return new Bounds(maxHelpers, oneRequestEach, IDLE, PATIENCE);
        }
    }

    /**
     * Key of a helper: the view that it serves.
     *
     * @param owner the session or transfer; it shares its helpers with no other
     * @param refused names that the helper refuses to create
     * @param mounts counts changes of the mounts
     */
    record Key(Object owner, LaunchPlan plan, List<LinuxPath> refused, long mounts) {}

    private static final class Entry {
        private final CompletableFuture<HelperProcess> process = new CompletableFuture<>();
        private final Duration idle;
        private int users;
        private long lastUseNanos;
        private Optional<Timers.Planned> expiry = Optional.empty();

        Entry(Duration idle) {
            this.idle = idle;
        }

        void use() {
            users++;
            expiry.ifPresent(Timers.Planned::cancel);
            expiry = Optional.empty();
        }

        /**
         * @param underWay has counted this start since it was entered; a helper that is no longer needed ends while it
         * still counts
         */
        void start(Supplier<HelperProcess> starter, Phaser underWay) {
            try {
                process.complete(starter.get());
            } catch (RuntimeException | Error e) {
                process.completeExceptionally(e);
            } finally {
                underWay.arriveAndDeregister();
            }
        }

        boolean dead() {
            return process.isCompletedExceptionally()
                    || (process.isDone() && !process.join().alive());
        }

        void end() {
            process.thenAccept(HelperProcess::close);
        }
    }

    /** A helper in use. */
    final class Lease implements AutoCloseable {
        private final Entry entry;
        private final Key key;

        private Lease(Key key, Entry entry) {
            this.key = key;
            this.entry = entry;
        }

        /** Returns the helper. Waits until it has started; throws the exception of a failed start. */
        HelperProcess helper() {
            try {
                return entry.process.join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException failure ? failure : e;
            }
        }

        @Override
        public void close() {
            giveBack(key, entry);
        }
    }

    HelperPool(Timers timers, Bounds bounds) {
        this.timers = timers;
        this.bounds = bounds;
    }

    /** Runs the end of a helper on a new thread. The server's stop waits for it. */
    void end(Runnable work) {
        underWay.register();
        Threads.virtual("helper-end", () -> {
            try {
                work.run();
            } finally {
                underWay.arriveAndDeregister();
            }
        });
    }

    /**
     * Leases the helper of a view; starts it if there is none.
     *
     * @throws RpcException -32603 with {@code data.reason = "helpersBusy"} if all helpers are in use for too long
     */
    Lease lease(Key key, Supplier<HelperProcess> starter) throws InterruptedException {
        Entry entry;
        boolean isNew = false;
        lock.lock();
        try {
            dropDead(key);
            entry = entries.get(key);
            if (entry == null) {
                makeRoom(key);
                entry = entries.get(key); // another request may have been faster while this one waited
            }
            if (entry == null) {
                entry = enter(key);
                isNew = true;
            }
            entry.use();
            if (bounds.oneRequestEach()) {
                entries.remove(key);
                single.put(entry, key);
            }
        } finally {
            lock.unlock();
        }
        if (isNew) {
            entry.start(starter, underWay);
        }
        return new Lease(key, entry);
    }

    /**
     * Starts a helper for a view that will probably be asked for, if there is none and the pool has room. Returns when
     * the start has ended; a request that needs the helper reports a failure.
     */
    void prefetch(Key key, Supplier<HelperProcess> starter) {
        Entry entry;
        lock.lock();
        try {
            dropDead(key);
            if (closed || entries.containsKey(key) || size() >= bounds.maxHelpers()) {
                return;
            }
            entry = enter(key);
            entry.use();
        } finally {
            lock.unlock();
        }
        entry.start(starter, underWay);
        giveBack(key, entry);
    }

    /** Adds an entry to the table. The lock is held. */
    private Entry enter(Key key) {
        Entry entry = new Entry(bounds.idle());
        entries.put(key, entry);
        underWay.register();
        return entry;
    }

    private void dropDead(Key key) {
        Entry entry = entries.get(key);
        if (entry != null && entry.dead()) {
            entries.remove(key);
        }
    }

    /** Waits until another helper may be started. Ends the idle helper that was not used for the longest time. */
    private void makeRoom(Key wanted) throws InterruptedException {
        long left = bounds.patience().toNanos();
        while (!closed && size() >= bounds.maxHelpers() && !entries.containsKey(wanted)) {
            Optional<Map.Entry<Key, Entry>> idle = entries.entrySet().stream()
                    .filter(each -> each.getValue().users == 0)
                    .findFirst();
            if (idle.isPresent()) {
                entries.remove(idle.get().getKey());
                idle.get().getValue().end();
            } else if (left <= 0) {
                throw RpcException.internal("all " + bounds.maxHelpers() + " file helpers are busy; see --max-helpers")
                        .withData("reason", "helpersBusy")
                        .withData("limit", bounds.maxHelpers());
            } else {
                left = freed.awaitNanos(left);
            }
        }
        if (closed) {
            throw RpcException.internal("the server is shutting down").withData("reason", "shuttingDown");
        }
    }

    private void giveBack(Key key, Entry entry) {
        lock.lock();
        try {
            entry.users--;
            if (entry.users > 0) {
                return;
            }
            freed.signalAll();
            if (single.remove(entry) != null || entry.dead() || entries.get(key) != entry) {
                entries.remove(key, entry);
                entry.end();
                return;
            }
            entry.lastUseNanos = System.nanoTime();
            entry.expiry = Optional.of(timers.after(entry.idle, "helper-idle", () -> expire(key, entry)));
        } finally {
            lock.unlock();
        }
    }

    private void expire(Key key, Entry entry) {
        lock.lock();
        try {
            boolean idle = entry.users == 0 && System.nanoTime() - entry.lastUseNanos >= entry.idle.toNanos();
            if (!idle || !entries.remove(key, entry)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        entry.end();
    }

    /** Ends all helpers of an owner that has ended, even if they work. */
    void ownerEnded(Object owner) {
        endAll(key -> key.owner() == owner);
    }

    /** The number of helpers, starting ones included. */
    int size() {
        lock.lock();
        try {
            return entries.size() + single.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            freed.signalAll();
        } finally {
            lock.unlock();
        }
        endAll(key -> true);
        awaitEnds();
    }

    /** Waits for starts and ends, because they need services that are closed next. */
    private void awaitEnds() {
        try {
            underWay.awaitAdvanceInterruptibly(underWay.arrive(), ENDS_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            LOG.warn("file helpers have not ended within {} s", ENDS_LIMIT.toSeconds());
        }
    }

    private void endAll(Predicate<Key> which) {
        List<Entry> ended = new ArrayList<>();
        lock.lock();
        try {
            entries.entrySet().removeIf(each -> which.test(each.getKey()) && ended.add(each.getValue()));
            // Their slots stay taken until their requests have failed.
            single.forEach((entry, key) -> {
                if (which.test(key)) {
                    ended.add(entry);
                }
            });
            freed.signalAll();
        } finally {
            lock.unlock();
        }
        ended.forEach(Entry::end);
    }
}
