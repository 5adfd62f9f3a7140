package dev.execserver.server.proxy.http;

import java.io.IOException;

/** Thrown for input that violates HTTP or SOCKS. The message is meant for the peer. */
public final class BadRequestException extends IOException {

    private static final long serialVersionUID = 1L;

    BadRequestException(String message) {
        super(message);
    }
}
