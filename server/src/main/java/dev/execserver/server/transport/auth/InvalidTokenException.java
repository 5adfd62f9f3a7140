package dev.execserver.server.transport.auth;

/** A token that cannot be trusted. The peer is not told why. */
final class InvalidTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidTokenException(String message) {
        super(message);
    }

    InvalidTokenException(String message, Throwable cause) {
        super(message, cause);
    }
}
