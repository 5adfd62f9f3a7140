package dev.execserver.client.transport;

import java.io.IOException;

/** The server answered the WebSocket upgrade with an HTTP error. */
public final class UpgradeRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;

    public UpgradeRefusedException(int status, String text) {
        super("HTTP error: " + status + (text.isBlank() ? "" : " " + text));
        this.status = status;
    }

    public int status() {
        return status;
    }

    /** Whether another attempt would be refused in the same way: wrong or missing credentials, or an Origin guard. */
    public boolean permanent() {
        return status == 401 || status == 403;
    }
}
