package dev.execserver.server.transport.codec;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what unfinished messages of all connections together may hold. A peer alone may hold one whole message; many
 * peers must not fill the heap with messages that they never finish.
 *
 * <p>Threads: all readers. One atomic counter, no locks.
 */
public final class InboundBudget {
    private final AtomicLong left;

    public InboundBudget(long maxBytes) {
        this.left = new AtomicLong(maxBytes);
    }

    boolean reserve(long bytes) {
        if (left.addAndGet(-bytes) >= 0) {
            return true;
        }
        left.addAndGet(bytes);
        return false;
    }

    void release(long bytes) {
        left.addAndGet(bytes);
    }
}
