package dev.execserver.server.outbound;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.memory.AnswerMemory;

/**
 * An answer that waits for the socket, and what is given back once it was handed to the kernel.
 *
 * @param memory what it holds
 * @param gone runs when the answer was written or dropped; must not wait
 */
record QueuedAnswer(MessageBuffer message, AnswerMemory memory, Runnable gone) {

    /** What it holds beside its buffer. */
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
