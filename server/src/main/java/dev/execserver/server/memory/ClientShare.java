package dev.execserver.server.memory;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that one client holds of a share of all clients. A client that holds little may also take from a reserve, which the
 * others cannot use up: it goes on while the share is full of the answers of clients that do not read.
 *
 * <p>Any thread; without locks.
 */
public final class ClientShare {
    private final MemoryBudget common;
    private final MemoryBudget reserve;
    private final long modestBytes;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong borrowed = new AtomicLong();

    /**
     * @param common the share of all clients
     * @param reserve room for clients that hold little
     * @param modestBytes largest number of bytes with which a client may use the reserve
     */
    ClientShare(MemoryBudget common, MemoryBudget reserve, long modestBytes) {
        this.common = common;
        this.reserve = reserve;
        this.modestBytes = modestBytes;
    }

    /** Returns a share without a reserve. */
    public static ClientShare of(MemoryBudget common) {
        return new ClientShare(common, new MemoryBudget(0, Duration.ZERO), 0);
    }

    /** Returns the size of the share of all clients, without the reserve. */
    public long maxBytes() {
        return common.maxBytes();
    }

    /** Returns the bytes that all clients hold of their share. */
    public long usedBytes() {
        return common.usedBytes();
    }

    /** Takes the bytes if there is room now. Returns true if they were taken. */
    public boolean tryReserve(long bytes) {
        if (common.tryReserve(bytes)) {
            held.addAndGet(bytes);
            return true;
        }
        return borrow(bytes);
    }

    private boolean borrow(long bytes) {
        if (held.addAndGet(bytes) <= modestBytes && reserve.tryReserve(bytes)) {
            borrowed.addAndGet(bytes);
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    /** Takes the bytes, and waits as {@link MemoryBudget#reserve} does. */
    public boolean reserve(long bytes) {
        return reserveMore(0, bytes);
    }

    /** Takes the bytes for a thread that holds some, and waits as {@link MemoryBudget#reserveMore} does. */
    public boolean reserveMore(long holding, long bytes) {
        if (tryReserve(bytes)) {
            return true;
        }
        boolean taken = common.reserveMore(holding, bytes);
        if (taken) {
            held.addAndGet(bytes);
        }
        return taken;
    }

    /** Gives bytes back, those of the reserve first. */
    public void release(long bytes) {
        if (bytes == 0) {
            return;
        }
        held.addAndGet(-bytes);
        long back = Math.min(bytes, borrowed.getAndUpdate(now -> now - Math.min(now, bytes)));
        reserve.release(back);
        common.release(bytes - back);
    }
}
