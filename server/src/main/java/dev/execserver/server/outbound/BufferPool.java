package dev.execserver.server.outbound;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Pool of buffers for pushed events, shared by all connections. An idle connection keeps no buffer, a busy one
 * allocates none. Any thread may enter; no lock of its own.
 */
public final class BufferPool {

    /** Largest number of idle buffers. */
    private static final int MAX_IDLE = 64;

    /** Largest buffer to keep, in bytes: room for two notifications of the largest chunk. */
    private static final int MAX_KEPT_BYTES = 192 * 1024;

    private final ArrayBlockingQueue<MessageBuffer> idle = new ArrayBlockingQueue<>(MAX_IDLE);

    public MessageBuffer borrow() {
        MessageBuffer buffer = idle.poll();
        return buffer == null ? new MessageBuffer() : buffer;
    }

    public void giveBack(MessageBuffer buffer) {
        if (buffer.array().length <= MAX_KEPT_BYTES) {
            buffer.reset();
            boolean unused = idle.offer(buffer); // a full pool drops the buffer
        }
    }
}
