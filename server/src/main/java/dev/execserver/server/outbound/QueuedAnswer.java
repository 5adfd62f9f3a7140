package dev.execserver.server.outbound;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.memory.AnswerMemory;

/**
 * An answer that waits for the socket, with the resources to release afterwards.
 *
 * @param memory memory that the answer holds
 * @param gone runs when the answer was written or dropped; must not wait
 */
record QueuedAnswer(MessageBuffer message, AnswerMemory memory, Runnable gone) {

    /** Heap bytes of a queued answer besides its buffer. */
    static final long OWN_BYTES = 256;

    long bytes() {
        return message.capacity() + OWN_BYTES;
    }

    void release() {
        message.reset();
        memory.release();
        gone.run();
    }
}
