package dev.execserver.server.session;

/** The connection that a question was sent on has ended before the answer came. */
public final class ConnectionGoneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConnectionGoneException() {
        super("the connection has ended before the answer came");
    }
}
