package dev.execserver.server.process;

import dev.execserver.protocol.process.OutputChunk;

/**
 * One numbered event of a process, ready to be encoded.
 *
 * @param seq its sequence number
 * @param kind what happened
 * @param bytes the output; empty for exited and closed
 */
record OutputEvent(long seq, EventKind kind, byte[] bytes) {

    /** An output event as it goes over the wire. */
    OutputChunk chunk() {
        return new OutputChunk(seq, kind.stream().orElseThrow(), bytes);
    }
}
