package dev.execserver.server.memory;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import java.time.Duration;

/**
 * What one request holds for its answer: the bytes it has loaded, and the message that grows from them. Belongs to the
 * thread that works for the request, then to whoever writes the message; never to two at once.
 *
 * <p>A request that knows how much it is going to need takes all of it in one step ({@link #takeAhead}), before it holds
 * anything: many that each hold a part and wait for the rest would wait for each other.
 */
public final class AnswerMemory implements MessageBuffer.Growth {

    /** A message up to this size is not counted here but with its request: an ordinary answer never waits for large ones. */
    static final long FREE_BYTES = 1536;

    /** Never holds anything, so that any thread may have it. */
    private static final AnswerMemory NONE = new AnswerMemory(new MemoryShare(0, Duration.ZERO));

    private final MemoryShare share;
    private long held;
    private long used;
    private boolean waiting = true;

    /** There is no room at this moment, and the thread must not wait for it. */
    public static final class ShortException extends RuntimeException {
        private final long bytes;

        private ShortException(long bytes) {
            super("no memory for an answer of " + bytes + " bytes at this moment", null, false, false);
            this.bytes = bytes;
        }

        /** What the answer needs in all, as far as it came. */
        public long bytes() {
            return bytes;
        }
    }

    public AnswerMemory(MemoryShare share) {
        this.share = share;
    }

    /** Of an answer that is too small to be counted. */
    public static AnswerMemory none() {
        return NONE;
    }

    /** What the answers of all clients may hold. */
    public long maxBytes() {
        return share.maxBytes();
    }

    /**
     * Whether {@link #reserve} may wait. A thread that many requests share must not; it gets a {@link ShortException}
     * instead, and the request begins anew after it has waited elsewhere.
     */
    public void setWaiting(boolean mayWait) {
        waiting = mayWait;
    }

    /**
     * Takes, if there is room at this moment, what will be loaded and what the message from it will need; later
     * reservations come out of that.
     */
    public boolean tryTakeAhead(long bytes) {
        long missing = ahead(bytes);
        if (missing > 0 && !share.tryReserve(missing)) {
            return false;
        }
        held += missing;
        return true;
    }

    /** The same, but waits for room, and fails as {@link #reserve} does. */
    public void takeAhead(long bytes) {
        take(ahead(bytes));
    }

    private long ahead(long bytes) {
        return bytes <= FREE_BYTES ? 0 : Math.max(0, used + bytes - held);
    }

    /**
     * Takes bytes for something that is about to be loaded; waits for room.
     *
     * @throws RpcException -32603 with {@code data.reason = "answerMemory"} when there was none in time
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

    /** The request begins anew, with so many bytes in hand; waits for them and fails as {@link #reserve} does. */
    public void beginAnew(long bytes) {
        release();
        takeAhead(bytes);
    }

    /** The message of the answer is about to grow. */
    @Override
    public void grow(long fromBytes, long toBytes) {
        if (toBytes > FREE_BYTES) {
            reserve(toBytes - (fromBytes > FREE_BYTES ? fromBytes : 0));
        }
    }

    /** Only the message is left of the answer: what was loaded for it is garbage. */
    public void keepOnly(long bytes) {
        long garbage = Math.max(0, held - (bytes > FREE_BYTES ? bytes : 0));
        held -= garbage;
        used = held;
        share.release(garbage);
    }

    /** Nothing is left. May be called again. */
    public void release() {
        keepOnly(0);
    }
}
