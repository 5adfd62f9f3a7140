package dev.execserver.server.transport;

import java.io.IOException;

/** A message is above {@link Transport#MAX_MESSAGE_BYTES}: the sender has to answer with an error instead. */
public final class MessageTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    public MessageTooLargeException(long bytes) {
        super("message of " + bytes + " bytes is above the limit of " + Transport.MAX_MESSAGE_BYTES + " bytes");
    }

    public MessageTooLargeException(String message) {
        super(message);
    }
}
