package dev.execserver.server.outbound;

import dev.execserver.protocol.rpc.MessageBuffer;

/**
 * Source of events that a connection pulls when it can send more. So events wait in their own bounded logs, and the
 * queue of a connection holds only answers.
 */
public interface PushSource {

    /**
     * Encodes the next event into an empty buffer. Called by one virtual thread at a time.
     *
     * @return false if there is no event now
     */
    boolean encodeNext(MessageBuffer out);

    /** Called after a write: all events that were encoded before it were handed to the socket. */
    void written();
}
