package dev.execserver.server.session;

/** Thrown to the sender of a request to the client whose connection ended before the answer came. */
public final class ConnectionGoneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConnectionGoneException() {
        super("the connection has ended before the answer came");
    }
}
