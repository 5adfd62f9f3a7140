package dev.execserver.server.proxy;

import java.io.IOException;

/** A peer does not keep to HTTP or SOCKS. The message is for it to read. */
final class BadRequestException extends IOException {

    private static final long serialVersionUID = 1L;

    BadRequestException(String message) {
        super(message);
    }
}
