package dev.execserver.client.error;

/**
 * The server answers again but the session is gone for this client: it expired, the server was restarted, or another
 * client has taken it over. Its processes are ended or belong to that client.
 */
public final class SessionLostException extends ConnectionLostException {

    private static final long serialVersionUID = 1L;

    public SessionLostException(String message) {
        super(message);
    }

    public SessionLostException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether the server does not know the session any more; otherwise its processes may belong to another client. */
    public boolean ended() {
        return getCause() instanceof RequestFailedException;
    }
}
