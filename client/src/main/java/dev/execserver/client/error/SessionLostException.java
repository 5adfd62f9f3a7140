package dev.execserver.client.error;

/**
 * Reports that the server answers again, but this client has lost the session: it expired, the server was restarted, or
 * another client has taken it over. Its processes have ended or belong to that client.
 */
public final class SessionLostException extends ConnectionLostException {

    private static final long serialVersionUID = 1L;

    private final boolean ended;

    public SessionLostException(String message) {
        this(message, false);
    }

    /** @param ended true if the server has said that the session is over */
    public SessionLostException(String message, boolean ended) {
        super(message);
        this.ended = ended;
    }

    public SessionLostException(String message, Throwable cause) {
        super(message, cause);
        this.ended = cause instanceof RequestFailedException;
    }

    /**
     * Returns true if the server does not know the session any more, or has ended it. Otherwise its processes may belong to another
     * client.
     */
    public boolean ended() {
        return ended;
    }
}
