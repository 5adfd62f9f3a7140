package dev.execserver.server.proxy;

import java.io.IOException;

/** Thrown for input that violates HTTP or SOCKS. The message is meant for the peer. */
final class BadRequestException extends IOException {

    private static final long serialVersionUID = 1L;

    BadRequestException(String message) {
        super(message);
    }
}
