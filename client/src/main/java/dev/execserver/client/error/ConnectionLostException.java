package dev.execserver.client.error;

/**
 * Reports that the connection was lost during a call. If it was lost for good, all later calls throw this at once. If
 * the client reconnects, only calls that must not be repeated throw it, such as {@code process/start}; it is not known
 * if the server has carried them out.
 */
public sealed class ConnectionLostException extends ExecServerException permits SessionLostException {

    private static final long serialVersionUID = 1L;

    public ConnectionLostException(String message) {
        super(message);
    }

    public ConnectionLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
