package dev.execserver.server.proxy.http;

import java.io.IOException;

/** Thrown if the target cannot be reached, or if its answer cannot be passed on. */
public final class UpstreamException extends IOException {

    private static final long serialVersionUID = 1L;

    public UpstreamException(String message) {
        super(message);
    }

    public UpstreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
