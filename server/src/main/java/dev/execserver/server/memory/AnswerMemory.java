package dev.execserver.server.memory;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;

/**
 * What one request holds for its answer: the bytes it has loaded, and the message that grows from them. Belongs to the
 * thread that works for the request, then to whoever writes the message; never to two at once.
 */
public final class AnswerMemory implements MessageBuffer.Growth {

    /** Growth up to this size is not counted: ordinary answers pay nothing, and requests are bounded in number. */
    static final long FREE_BYTES = 4 * 1024L;

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

    /**
     * Whether {@link #reserve} may wait. A thread that many requests share must not; it gets a {@link ShortException}
     * instead, and the request begins anew after it has waited elsewhere.
     */
    public void setWaiting(boolean mayWait) {
        waiting = mayWait;
    }

    /** Takes bytes for something that is about to be loaded, if there is room at this moment. */
    public boolean tryReserve(long bytes) {
        if (bytes <= FREE_BYTES) {
            return true;
        }
        long missing = Math.max(0, used + bytes - held);
        if (missing > 0 && !share.tryReserve(missing)) {
            return false;
        }
        held += missing;
        used += bytes;
        return true;
    }

    /** Makes sure that at least so many bytes were taken; waits for room, and fails as {@link #reserve} does. */
    public void reserveAtLeast(long bytes) {
        if (bytes > FREE_BYTES && bytes > used) {
            reserve(bytes - used);
        }
    }

    /**
     * Takes bytes for something that is about to be loaded; waits for room.
     *
     * @throws RpcException -32603 with {@code data.reason = "answerMemory"} when there was none in time
     * @throws ShortException when this thread must not wait
     */
    public void reserve(long bytes) {
        long missing = Math.max(0, used + bytes - held);
        if (missing > 0 && !share.tryReserve(missing)) {
            if (!waiting) {
                throw new ShortException(used + bytes);
            }
            if (!share.reserve(missing)) {
                throw full(used + bytes);
            }
        }
        held += missing;
        used += bytes;
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
        reserve(bytes);
        used = 0;
    }

    /** The message of the answer is about to grow. */
    @Override
    public void grow(long fromBytes, long toBytes) {
        if (toBytes > FREE_BYTES) {
            reserve(toBytes - fromBytes);
        }
    }

    /** Only the message is left of the answer: what was loaded for it is garbage. */
    public void keepOnly(long bytes) {
        long garbage = Math.max(0, held - bytes);
        held -= garbage;
        used = held;
        share.release(garbage);
    }

    /** Nothing is left. May be called again. */
    public void release() {
        keepOnly(0);
    }
}
