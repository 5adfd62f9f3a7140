package dev.execserver.client.error;

/**
 * Reports that the server answers again, but this client has lost the session: it expired, the server was restarted, or
 * another client has taken it over. Its processes have ended or belong to that client.
 */
public final class SessionLostException extends ConnectionLostException {

    private static final long serialVersionUID = 1L;

    public SessionLostException(String message) {
        super(message);
    }

    public SessionLostException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns true if the server does not know the session any more. Otherwise its processes may belong to another
     * client.
     */
    public boolean ended() {
        return getCause() instanceof RequestFailedException;
    }
}
