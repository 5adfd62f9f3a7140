package dev.execserver.server.transport.auth;

/**
 * Reports that the configured authentication cannot be set up. The message is meant for the operator and contains no
 * secret.
 */
public final class AuthConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AuthConfigurationException(String message) {
        super(message);
    }

    AuthConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
