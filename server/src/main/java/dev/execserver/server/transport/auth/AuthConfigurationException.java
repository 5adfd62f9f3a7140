package dev.execserver.server.transport.auth;

/** The authentication asked for cannot be set up; the message is meant for the operator and names no secret. */
public final class AuthConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AuthConfigurationException(String message) {
        super(message);
    }

    AuthConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
