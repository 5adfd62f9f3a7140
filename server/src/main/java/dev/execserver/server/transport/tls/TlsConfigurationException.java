package dev.execserver.server.transport.tls;

/** Reports a certificate or key that cannot be used. The message names the file and is meant for the operator. */
public final class TlsConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TlsConfigurationException(String message) {
        super(message);
    }

    TlsConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
