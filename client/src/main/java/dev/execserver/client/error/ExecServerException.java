package dev.execserver.client.error;

import dev.execserver.protocol.text.VisibleText;

/**
 * Base of all exceptions that the client throws about a server or the connection to it. The message may repeat words of the
 * server. It is therefore always one line without control characters.
 */
public abstract class ExecServerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ExecServerException(String message) {
        super(VisibleText.oneLine(message));
    }

    ExecServerException(String message, Throwable cause) {
        super(VisibleText.oneLine(message), cause);
    }
}
