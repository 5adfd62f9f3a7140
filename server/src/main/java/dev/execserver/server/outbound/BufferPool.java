package dev.execserver.server.outbound;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Buffers for pushed events, shared by all connections: an idle connection keeps none, a busy one does not allocate. Any
 * thread; no locks of its own.
 */
public final class BufferPool {

    /** Idle buffers kept. */
    private static final int MAX_IDLE = 64;

    /** A buffer that has grown beyond this is not kept: two notifications of the largest chunk. */
    private static final int MAX_KEPT_BYTES = 192 * 1024;

    private final ArrayBlockingQueue<MessageBuffer> idle = new ArrayBlockingQueue<>(MAX_IDLE);

    public MessageBuffer borrow() {
        MessageBuffer buffer = idle.poll();
        return buffer == null ? new MessageBuffer() : buffer;
    }

    public void giveBack(MessageBuffer buffer) {
        if (buffer.array().length <= MAX_KEPT_BYTES) {
            buffer.reset();
            boolean unused = idle.offer(buffer); // a full pool lets it go
        }
    }
}
