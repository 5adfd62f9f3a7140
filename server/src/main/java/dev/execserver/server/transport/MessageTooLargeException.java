package dev.execserver.server.transport;

import java.io.IOException;

/**
 * Reports a message that is too large: an outgoing one above {@link Transport#MAX_MESSAGE_BYTES}, so that its sender
 * has to answer with an error instead, or an incoming line that was skipped.
 */
public final class MessageTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    public MessageTooLargeException(long bytes) {
        super("message of " + bytes + " bytes is above the limit of " + Transport.MAX_MESSAGE_BYTES + " bytes");
    }

    public MessageTooLargeException(String message) {
        super(message);
    }
}
