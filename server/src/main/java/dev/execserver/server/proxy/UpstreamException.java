package dev.execserver.server.proxy;

import java.io.IOException;

/** Thrown if the target cannot be reached, or if its answer cannot be passed on. */
final class UpstreamException extends IOException {

    private static final long serialVersionUID = 1L;

    UpstreamException(String message) {
        super(message);
    }

    UpstreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
