package dev.execserver.server.memory;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Bounded number of bytes that all connections share. A thread takes the size of its data from the share before it
 * allocates the data, and gives it back when the data is garbage.
 *
 * <p>Threads that wait are served in the order of arrival. Those that already hold bytes go first, because they may
 * give back what the others need. They never wait for each other: a thread whose waiting would close a circle is
 * refused at once. Very small pieces pass the queue, so that large requests never delay a request that ends a process.
 *
 * <p>Any thread; {@code lock} guards the queues and is held only to queue and to wait.
 */
public final class MemoryBudget {

    /** A piece is small if this many of it fit into the share. */
    private static final int SMALL_PIECES = 256;

    /** Time that a thread waits before it asks for relief. */
    private static final long RELIEF_NANOS = 1_000_000_000L;

    /** Bound of the whole wait, in multiples of {@code patience}. A wait is extended while other threads are served. */
    private static final int MAX_PATIENCE = 6;

    private final AtomicLong used = new AtomicLong();
    private final AtomicLong waiters = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Waiter> holders = new LinkedHashSet<>();
    private final Set<Waiter> others = new LinkedHashSet<>();
    private final long maxBytes;
    private final Duration patience;
    private volatile Runnable relief = () -> {};
    /** True while one of the waiting threads asks for relief, for all of them; guarded by the lock. */
    private boolean watched;
    /** Number of waiting threads that were served; guarded by the lock. */
    private long turns;

    /** A waiting thread; guarded by the lock. */
    private static final class Waiter {
        private final long held;
        private final long bytes;
        private final Condition turn;
        private boolean served;

        Waiter(long held, long bytes, Condition turn) {
            this.held = held;
            this.bytes = bytes;
            this.turn = turn;
        }
    }

    /**
     * Sets the work that runs again and again while a thread waits. It may make other threads give bytes back. It must
     * not wait.
     */
    public void whenShort(Runnable work) {
        relief = work;
    }

    /** @param patience longest time that {@link #reserve} waits while no thread is served */
    public MemoryBudget(long maxBytes, Duration patience) {
        this.maxBytes = maxBytes;
        this.patience = patience;
    }

    public long maxBytes() {
        return maxBytes;
    }

    /** Returns the bytes that are taken now. */
    public long usedBytes() {
        return used.get();
    }

    /** Returns the number of threads that wait now. */
    long waiting() {
        return waiters.get();
    }

    /**
     * Takes the bytes if there is room for all of them and no thread waits for room. Small pieces pass waiting threads.
     * Returns true if the bytes were taken.
     */
    public boolean tryReserve(long bytes) {
        return (waiters.get() == 0 || bytes <= maxBytes / SMALL_PIECES) && take(bytes);
    }

    private boolean take(long bytes) {
        for (long now = used.get(); bytes <= maxBytes - now; now = used.get()) {
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes the bytes and waits for room if need be. Returns false if there was no room in time or can never be. The
     * caller must hold nothing of this share.
     */
    public boolean reserve(long bytes) {
        return reserveMore(0, bytes);
    }

    /**
     * Does the same as {@link #reserve} for a caller that already holds bytes. Returns false also when all others that
     * could give bytes back wait for more.
     *
     * @param held bytes that the caller holds
     */
    public boolean reserveMore(long held, long bytes) {
        if (tryReserve(bytes)) {
            return true;
        }
        if (bytes > maxBytes - held) {
            return false;
        }
        lock.lock();
        try {
            return await(new Waiter(held, bytes, lock.newCondition()));
        } finally {
            lock.unlock();
        }
    }

    private boolean await(Waiter waiter) {
        Set<Waiter> queue = waiter.held > 0 ? holders : others;
        queue.add(waiter);
        waiters.incrementAndGet();
        serve();
        try {
            awaitTurn(waiter);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        waiters.decrementAndGet();
        if (queue.remove(waiter)) {
            serve(); // threads further back may need less
        }
        return waiter.served;
    }

    /**
     * Waits until the waiter was served, or its time is over. One waiting thread wakes every second to ask for relief. If all
     * did, thousands of them would keep the processors busy.
     */
    private void awaitTurn(Waiter waiter) throws InterruptedException {
        long inAll = waiter.held > 0 && hopeless() ? 0 : MAX_PATIENCE * patience.toNanos();
        long left = Math.min(inAll, patience.toNanos());
        long seen = turns;
        boolean watches = false;
        try {
            while (!waiter.served && left > 0 && inAll > 0) {
                watches = watches || !watched;
                watched = true;
                long limit = Math.min(left, inAll);
                long slice = watches ? Math.min(limit, RELIEF_NANOS) : limit;
                long waited = slice - waiter.turn.awaitNanos(slice);
                left = turns == seen ? left - waited : patience.toNanos();
                inAll -= waited;
                seen = turns;
                if (watches && !waiter.served && left > 0) {
                    askForRelief();
                }
            }
        } finally {
            if (watches) {
                passWatchOn(waiter);
            }
        }
    }

    private void passWatchOn(Waiter from) {
        watched = false;
        Stream.concat(holders.stream(), others.stream())
                .filter(waiter -> waiter != from)
                .findFirst()
                .ifPresent(next -> next.turn.signal());
    }

    private void askForRelief() {
        lock.unlock();
        try {
            relief.run();
        } finally {
            lock.lock();
        }
    }

    /** Gives room to the threads whose turn it is. */
    private void serve() {
        holders.removeIf(this::served);
        Iterator<Waiter> queue = others.iterator();
        while (holders.isEmpty() && queue.hasNext() && served(queue.next())) {
            queue.remove();
        }
    }

    private boolean served(Waiter waiter) {
        waiter.served = take(waiter.bytes);
        if (waiter.served) {
            turns++;
            waiter.turn.signal();
        }
        return waiter.served;
    }

    /** Returns true if none of the waiting holders would have enough even if everybody else gave back all bytes. */
    private boolean hopeless() {
        long stuck = holders.stream().mapToLong(waiter -> waiter.held).sum();
        return !holders.isEmpty() && holders.stream().noneMatch(waiter -> waiter.bytes <= maxBytes - stuck);
    }

    public void release(long bytes) {
        if (bytes == 0) {
            return;
        }
        used.addAndGet(-bytes);
        if (waiters.get() > 0) {
            lock.lock();
            try {
                serve();
            } finally {
                lock.unlock();
            }
        }
    }
}
