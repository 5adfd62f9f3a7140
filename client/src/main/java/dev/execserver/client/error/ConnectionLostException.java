package dev.execserver.client.error;

/**
 * The connection went away under a call. When it was lost for good, all later calls throw this at once; when the client
 * reconnects, only the calls throw it that must not be repeated, such as {@code process/start}: whether the server has
 * done what they ask for is not known.
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
