package dev.execserver.server.transport.auth;

/** Reports a token that cannot be trusted. The peer does not get the reason. */
final class InvalidTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidTokenException(String message) {
        super(message);
    }

    InvalidTokenException(String message, Throwable cause) {
        super(message, cause);
    }
}
