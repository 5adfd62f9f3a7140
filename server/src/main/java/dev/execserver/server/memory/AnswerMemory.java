package dev.execserver.server.memory;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import java.time.Duration;

/**
 * Memory that one request holds for its answer: the bytes it has loaded and the message that is built from them. It
 * belongs to the thread that works for the request, then to the thread that writes the message; never to two at once.
 *
 * <p>A request that knows its need takes all of it in one step ({@link #takeAhead}), before it holds anything. Requests
 * that each held a part and waited for the rest would wait for each other.
 */
public final class AnswerMemory implements MessageBuffer.Growth {

    /**
     * A message up to this size is counted with its request and not here, so that an ordinary answer never waits for
     * large ones.
     */
    static final long FREE_BYTES = 1536;

    /** Holds nothing, so any thread may use it. */
    private static final AnswerMemory NONE = new AnswerMemory(new MemoryBudget(0, Duration.ZERO));

    private final ClientShare share;
    private long held;
    private long used;
    private boolean waiting = true;

    /** Thrown when there is no room now and the thread must not wait. */
    public static final class ShortException extends RuntimeException {
        private final long bytes;

        private ShortException(long bytes) {
            super("no memory for an answer of " + bytes + " bytes at this moment", null, false, false);
            this.bytes = bytes;
        }

        /** Returns the bytes that the answer needs in all, as far as the request has come. */
        public long bytes() {
            return bytes;
        }
    }

    /** Memory of an answer that is built for no client in particular. */
    public AnswerMemory(MemoryBudget share) {
        this(ClientShare.of(share));
    }

    public AnswerMemory(ClientShare share) {
        this.share = share;
    }

    /** Returns the memory of an answer that is too small to be counted. */
    public static AnswerMemory none() {
        return NONE;
    }

    /** Returns the number of bytes that the answers of all clients together may hold. */
    public long maxBytes() {
        return share.maxBytes();
    }

    /**
     * Sets if {@link #reserve} may wait. A thread that many requests share must not wait: it gets a {@link
     * ShortException} instead, and the request begins anew after it has waited on another thread.
     */
    public void setWaiting(boolean mayWait) {
        waiting = mayWait;
    }

    /**
     * Takes the bytes that will be loaded or built, if there is room now. Later reservations are served from them.
     * Returns true if the bytes were taken.
     */
    public boolean tryTakeAhead(long bytes) {
        long missing = ahead(bytes);
        if (missing > 0 && !share.tryReserve(missing)) {
            return false;
        }
        held += missing;
        return true;
    }

    /** Does the same as {@link #tryTakeAhead}, but waits for room, and fails as {@link #reserve} does. */
    public void takeAhead(long bytes) {
        take(ahead(bytes));
    }

    private long ahead(long bytes) {
        return bytes <= FREE_BYTES ? 0 : Math.max(0, used + bytes - held);
    }

    /**
     * Takes bytes for something that is about to be loaded; waits for room.
     *
     * @throws RpcException -32603 with {@code data.reason = "answerMemory"} when there was no room in time
     * @throws ShortException when this thread must not wait
     */
    public void reserve(long bytes) {
        take(Math.max(0, used + bytes - held));
        used += bytes;
    }

    private void take(long missing) {
        if (missing > 0 && !share.tryReserve(missing)) {
            if (!waiting) {
                throw new ShortException(held + missing);
            }
            if (!share.reserveMore(held, missing)) {
                throw full(held + missing);
            }
        }
        held += missing;
    }

    private RpcException full(long bytes) {
        return RpcException.internal("no memory for an answer of " + bytes + " bytes: answers of all clients hold "
                        + share.usedBytes() + " of " + share.maxBytes() + " bytes; see " + ServerMemory.OPTION)
                .withData("reason", "answerMemory")
                .withData("limitBytes", share.maxBytes());
    }

    /**
     * Releases everything and takes the bytes with which the request begins anew. Waits and fails as {@link #reserve}
     * does.
     */
    public void beginAnew(long bytes) {
        release();
        takeAhead(bytes);
    }

    /** Takes the bytes by which the message of the answer is about to grow. */
    @Override
    public void grow(long fromBytes, long toBytes) {
        if (toBytes > FREE_BYTES) {
            reserve(toBytes - (fromBytes > FREE_BYTES ? fromBytes : 0));
        }
    }

    /** Keeps only the bytes of the message, and releases those of the loaded data, which is garbage now. */
    public void keepOnly(long bytes) {
        long garbage = Math.max(0, held - (bytes > FREE_BYTES ? bytes : 0));
        held -= garbage;
        used = held;
        share.release(garbage);
    }

    /** Releases everything. May be called again. */
    public void release() {
        keepOnly(0);
    }
}
