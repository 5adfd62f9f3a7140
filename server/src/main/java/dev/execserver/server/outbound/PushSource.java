package dev.execserver.server.outbound;

import dev.execserver.protocol.rpc.MessageBuffer;

/**
 * Something that has events to push and is asked for them when the connection can take more. Events thus wait where they
 * are bounded already, and the queue of a connection holds answers only.
 */
public interface PushSource {

    /**
     * Encodes the next event into an empty buffer. Called by one thread at a time, a virtual one.
     *
     * @return false when there is none now
     */
    boolean encodeNext(MessageBuffer out);

    /** Everything that was encoded so far was handed to the socket. */
    void written();
}
