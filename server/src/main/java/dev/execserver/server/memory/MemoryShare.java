package dev.execserver.server.memory;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded number of bytes that all connections share. Whoever is about to hold memory takes its size from the share
 * first, and gives it back when the memory is garbage.
 *
 * <p>Who waits gets his turn in the order of arrival. Those who hold bytes already go first, for the others' bytes may be
 * what they give back; and they never wait for each other: the one whose waiting would close the circle is refused at
 * once. Next to nothing goes past all of them, so that a request that ends something is never held up by large ones.
 *
 * <p>Any thread; {@code lock} guards the queues and serves only to wait.
 */
public final class MemoryShare {

    /** A piece is small when so many of them fit into the share. */
    private static final int SMALL_PIECES = 256;

    /** How long somebody waits before relief is asked for. */
    private static final long RELIEF_NANOS = 1_000_000_000L;

    /** While others get their turn somebody waits longer, but not more than so many times as long. */
    private static final int MAX_PATIENCE = 6;

    private final AtomicLong used = new AtomicLong();
    private final AtomicLong waiters = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Waiter> holders = new LinkedHashSet<>();
    private final Set<Waiter> others = new LinkedHashSet<>();
    private final long maxBytes;
    private final Duration patience;
    private volatile Runnable relief = () -> {};
    /** How many that waited were served; guarded by the lock. */
    private long turns;

    /** Somebody who waits; guarded by the lock. */
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

    /** Will be run, time and again, while somebody waits: it may get others to give bytes back. Must not wait. */
    public void whenShort(Runnable work) {
        relief = work;
    }

    /** @param patience how long {@link #reserve} waits when nobody gets room */
    public MemoryShare(long maxBytes, Duration patience) {
        this.maxBytes = maxBytes;
        this.patience = patience;
    }

    public long maxBytes() {
        return maxBytes;
    }

    /** Bytes taken at this moment. */
    public long usedBytes() {
        return used.get();
    }

    /** How many wait at this moment. */
    long waiting() {
        return waiters.get();
    }

    /** Takes the bytes if there is room for all of them, and nobody waits for it. */
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
     * Takes the bytes, after waiting for room if need be; false when there was none in time, or can never be. The caller
     * holds nothing of this share.
     */
    public boolean reserve(long bytes) {
        return reserveMore(0, bytes);
    }

    /**
     * The same for one who holds bytes already; false also when everybody who could give bytes back waits for more.
     *
     * @param held what the caller holds
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
            long inAll = waiter.held > 0 && hopeless() ? 0 : MAX_PATIENCE * patience.toNanos();
            long left = Math.min(inAll, patience.toNanos());
            long seen = turns;
            while (!waiter.served && left > 0 && inAll > 0) {
                long slice = Math.min(left, RELIEF_NANOS);
                long waited = slice - waiter.turn.awaitNanos(slice);
                left = turns == seen ? left - waited : patience.toNanos();
                inAll -= waited;
                seen = turns;
                if (!waiter.served && left > 0) {
                    askForRelief();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        waiters.decrementAndGet();
        if (queue.remove(waiter)) {
            serve(); // those behind may need less
        }
        return waiter.served;
    }

    private void askForRelief() {
        lock.unlock();
        try {
            relief.run();
        } finally {
            lock.lock();
        }
    }

    /** Gives room to those whose turn it is. */
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

    /** Even if all the others gave everything back, none of those who hold bytes and wait would have enough. */
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
