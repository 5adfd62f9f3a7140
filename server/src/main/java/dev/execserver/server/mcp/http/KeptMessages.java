package dev.execserver.server.mcp.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of the messages that all streams keep: being written to their clients, or for clients that were cut off. An answer that has no
 * room is refused. Any thread.
 */
final class KeptMessages {
    /** Bound of all sessions together; small messages that must not be lost may exceed it. */
    static final long MAX_BYTES = 128L * 1024 * 1024;

    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();
    private volatile Runnable relief = () -> {};

    KeptMessages(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Sets the work that makes streams forget what their clients have. */
    void whenShort(Runnable work) {
        relief = work;
    }

    /** Takes room for an answer. Returns false if there is none. The caller holds no lock of a stream. */
    boolean tryTake(long size) {
        if (take(size)) {
            return true;
        }
        relief.run();
        return take(size);
    }

    private boolean take(long size) {
        if (bytes.addAndGet(size) <= maxBytes) {
            return true;
        }
        bytes.addAndGet(-size);
        return false;
    }

    /** Counts a message that is kept in any case. */
    void add(long size) {
        bytes.addAndGet(size);
    }

    void release(long size) {
        bytes.addAndGet(-size);
    }

    long bytes() {
        return bytes.get();
    }
}
