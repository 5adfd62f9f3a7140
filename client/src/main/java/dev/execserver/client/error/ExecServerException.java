package dev.execserver.client.error;

/** Base of all exceptions that the client throws about a server or the connection to it. */
public abstract class ExecServerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ExecServerException(String message) {
        super(message);
    }

    ExecServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
