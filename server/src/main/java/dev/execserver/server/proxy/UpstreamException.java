package dev.execserver.server.proxy;

import java.io.IOException;

/** What the process wants to talk to cannot be reached, or says what cannot be passed on. */
final class UpstreamException extends IOException {

    private static final long serialVersionUID = 1L;

    UpstreamException(String message) {
        super(message);
    }

    UpstreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
