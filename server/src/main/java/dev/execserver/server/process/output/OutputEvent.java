package dev.execserver.server.process.output;

import dev.execserver.protocol.process.OutputChunk;

/**
 * One numbered event of a process, ready to be encoded.
 *
 * @param seq its sequence number
 * @param kind its kind
 * @param bytes the output; empty for the exit and the close
 */
record OutputEvent(long seq, EventKind kind, byte[] bytes) {

    /** Returns the output event as it is sent on the wire. */
    OutputChunk chunk() {
        return new OutputChunk(seq, kind.stream().orElseThrow(), bytes);
    }
}
