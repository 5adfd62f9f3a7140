package dev.execserver.server.transport.tls;

/** Certificate or key cannot be used; the message names the file and is meant for the operator. */
public final class TlsConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TlsConfigurationException(String message) {
        super(message);
    }

    TlsConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
