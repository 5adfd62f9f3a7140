package dev.execserver.server.helper;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.plan.LaunchPlan;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.session.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The warm helpers of the server. Each serves one view of one session: it is used again only when the plan for a request,
 * made anew from the files as they are, equals the one it was started with, identities of files included.
 *
 * <p>Request threads lease, the clock ends what is idle. {@code lock} guards the table and is not held while a helper
 * starts or works. The table is in the order of use, so its first entry is the one to give up.
 */
final class HelperPool implements AutoCloseable {

    /** A helper that nobody has used for so long ends. */
    static final Duration IDLE = Duration.ofSeconds(60);

    /** The same while it needs empty objects on the host to mount over: those shall not be seen longer than needed. */
    static final Duration IDLE_WITH_PLACEHOLDERS = Duration.ofSeconds(1);

    /** How long a request waits for a place while all helpers are busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final Timers timers;
    private final int maxHelpers;
    private boolean closed;

    /** What a helper serves. */
    record Key(Session session, LaunchPlan plan) {}

    private static final class Entry {
        private final CompletableFuture<HelperProcess> process = new CompletableFuture<>();
        private final Duration idle;
        private int users;
        private long lastUseNanos;
        private Optional<Timers.Planned> expiry = Optional.empty();

        Entry(Duration idle) {
            this.idle = idle;
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

        /** Waits until it has started; fails as its start does. */
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

    HelperPool(Timers timers, int maxHelpers) {
        this.timers = timers;
        this.maxHelpers = maxHelpers;
    }

    /**
     * The helper for a view; starts it if there is none.
     *
     * @param holdsPlaceholders whether it needs empty objects on the host
     * @throws RpcException -32603 with {@code data.reason = "helpersBusy"} when all are in use for too long
     */
    Lease lease(Key key, boolean holdsPlaceholders, Supplier<HelperProcess> starter) throws InterruptedException {
        Entry entry;
        boolean isNew = false;
        lock.lock();
        try {
            dropDead(key);
            entry = entries.get(key);
            if (entry == null) {
                makeRoom(key);
                entry = entries.get(key); // somebody else may have been faster while this one waited
            }
            if (entry == null) {
                entry = new Entry(holdsPlaceholders ? IDLE_WITH_PLACEHOLDERS : IDLE);
                entries.put(key, entry);
                isNew = true;
            }
            entry.users++;
            entry.expiry.ifPresent(Timers.Planned::cancel);
            entry.expiry = Optional.empty();
        } finally {
            lock.unlock();
        }
        if (isNew) {
            start(entry, starter);
        }
        return new Lease(key, entry);
    }

    private static void start(Entry entry, Supplier<HelperProcess> starter) {
        try {
            entry.process.complete(starter.get());
        } catch (RuntimeException | Error e) {
            entry.process.completeExceptionally(e);
        }
    }

    private void dropDead(Key key) {
        Entry entry = entries.get(key);
        if (entry != null && entry.dead()) {
            entries.remove(key);
        }
    }

    /** Waits until one more may be started, giving up the one that was not used for the longest time. */
    private void makeRoom(Key wanted) throws InterruptedException {
        long left = PATIENCE.toNanos();
        while (!closed && entries.size() >= maxHelpers && !entries.containsKey(wanted)) {
            Optional<Map.Entry<Key, Entry>> idle = entries.entrySet().stream()
                    .filter(each -> each.getValue().users == 0)
                    .findFirst();
            if (idle.isPresent()) {
                entries.remove(idle.get().getKey());
                idle.get().getValue().end();
            } else if (left <= 0) {
                throw RpcException.internal("all " + maxHelpers + " file helpers are busy; see --max-helpers")
                        .withData("reason", "helpersBusy")
                        .withData("limit", maxHelpers);
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
            if (entry.dead() || entries.get(key) != entry) {
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

    /** The session has ended: so do its helpers, whatever they are doing. */
    void sessionEnded(Session session) {
        endAll(key -> key.session() == session);
    }

    int size() {
        lock.lock();
        try {
            return entries.size();
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
    }

    private void endAll(Predicate<Key> which) {
        List<Entry> ended = new ArrayList<>();
        lock.lock();
        try {
            entries.entrySet().removeIf(each -> {
                boolean ends = which.test(each.getKey());
                if (ends) {
                    ended.add(each.getValue());
                }
                return ends;
            });
            freed.signalAll();
        } finally {
            lock.unlock();
        }
        ended.forEach(Entry::end);
    }
}
