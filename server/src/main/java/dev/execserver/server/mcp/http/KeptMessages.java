package dev.execserver.server.mcp.http;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Bytes of the messages that the streams of all sessions keep, or those of one: being written to their clients, or for clients that were
 * cut off. A large answer that has no room is refused. Any thread.
 */
final class KeptMessages {
    /** Bound of all sessions together; small messages that must not be lost may exceed it. */
    static final long MAX_BYTES = 128L * 1024 * 1024;

    /** Bound of one session, so that it leaves room to others. */
    static final long MAX_BYTES_OF_ONE = 32L * 1024 * 1024;

    /** Largest answer that is never refused. */
    static final long MAX_SMALL_BYTES = 64L * 1024;

    private final long maxBytes;
    private final Optional<KeptMessages> whole;
    private final AtomicLong bytes = new AtomicLong();
    private volatile LongConsumer relief = _ -> {};

    KeptMessages(long maxBytes) {
        this(maxBytes, Optional.empty());
    }

    private KeptMessages(long maxBytes, Optional<KeptMessages> whole) {
        this.maxBytes = maxBytes;
        this.whole = whole;
    }

    /** Returns the room of one session, whose messages count here too. */
    KeptMessages part(long maxBytesOfOne) {
        return new KeptMessages(maxBytesOfOne, Optional.of(this));
    }

    /** Sets the work that makes streams forget messages, given the bytes that are wanted. */
    void whenShort(LongConsumer work) {
        relief = work;
    }

    /** Takes room for an answer. Returns false if it is large and there is none. The caller holds no lock of a stream. */
    boolean tryTake(long size) {
        if (size <= MAX_SMALL_BYTES) {
            add(size);
            return true;
        }
        return takeWithRelief(size) && takeOfWhole(size);
    }

    private boolean takeWithRelief(long size) {
        if (take(size)) {
            return true;
        }
        if (size > maxBytes) {
            return false; // nothing is forgotten in vain
        }
        relief.accept(size);
        return take(size);
    }

    /** Takes the same room of the whole, or gives it back here. */
    private boolean takeOfWhole(long size) {
        boolean taken = whole.isEmpty() || whole.get().tryTake(size);
        if (!taken) {
            bytes.addAndGet(-size);
        }
        return taken;
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
        whole.ifPresent(all -> all.add(size));
    }

    void release(long size) {
        bytes.addAndGet(-size);
        whole.ifPresent(all -> all.release(size));
    }

    long bytes() {
        return bytes.get();
    }
}
