package dev.execserver.server.memory;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;

/**
 * What one request holds for its answer: the bytes it has loaded, and the message that grows from them. Belongs to the
 * request's thread until the message is queued, then to whoever writes it; never to both.
 */
public final class AnswerMemory implements MessageBuffer.Growth {

    /** Growth up to this size is not counted: ordinary answers pay nothing, and requests are bounded in number. */
    static final long FREE_BYTES = 4 * 1024L;

    private final MemoryShare share;
    private long held;

    public AnswerMemory(MemoryShare share) {
        this.share = share;
    }

    /** Takes bytes for something that is about to be loaded, if there is room at this moment. */
    public boolean tryReserve(long bytes) {
        if (bytes <= FREE_BYTES) {
            return true;
        }
        boolean reserved = share.tryReserve(bytes);
        if (reserved) {
            held += bytes;
        }
        return reserved;
    }

    /** Makes sure that at least so many bytes were taken; waits for room, and fails as {@link #reserve} does. */
    public void reserveAtLeast(long bytes) {
        if (bytes > FREE_BYTES && bytes > held) {
            reserve(bytes - held);
        }
    }

    /**
     * Takes bytes for something that is about to be loaded; waits for room.
     *
     * @throws RpcException -32603 with {@code data.reason = "answerMemory"} when there was none in time
     */
    public void reserve(long bytes) {
        if (!share.reserve(bytes)) {
            throw RpcException.internal("no memory for an answer of " + bytes + " bytes: answers of all clients hold "
                            + share.usedBytes() + " of " + share.maxBytes() + " bytes; see " + ServerMemory.OPTION)
                    .withData("reason", "answerMemory")
                    .withData("limitBytes", share.maxBytes());
        }
        held += bytes;
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
        share.release(garbage);
    }

    /** Nothing is left. May be called again. */
    public void release() {
        keepOnly(0);
    }
}
