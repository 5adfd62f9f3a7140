package dev.execserver.server.memory;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded number of bytes that all connections share. Whoever is about to hold memory takes its size from the share
 * first, and gives it back when the memory is garbage.
 *
 * <p>Any thread; {@code lock} serves only to wait.
 */
public final class MemoryShare {

    private final AtomicLong used = new AtomicLong();
    private final AtomicLong waiters = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final long maxBytes;
    private final Duration patience;

    /** @param patience how long {@link #reserve} waits for room */
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

    /** Takes the bytes if there is room for all of them. */
    public boolean tryReserve(long bytes) {
        for (long now = used.get(); now + bytes <= maxBytes; now = used.get()) {
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
        return false;
    }

    /** Takes the bytes, after waiting for room if need be; false when there was none in time, or can never be. */
    public boolean reserve(long bytes) {
        if (tryReserve(bytes)) {
            return true;
        }
        if (bytes > maxBytes) {
            return false;
        }
        lock.lock();
        waiters.incrementAndGet();
        try {
            long left = patience.toNanos();
            while (!tryReserve(bytes)) {
                if (left <= 0) {
                    return false;
                }
                left = released.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiters.decrementAndGet();
            lock.unlock();
        }
    }

    public void release(long bytes) {
        if (bytes == 0) {
            return;
        }
        used.addAndGet(-bytes);
        if (waiters.get() > 0) {
            lock.lock();
            try {
                released.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
