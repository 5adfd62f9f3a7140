package dev.execserver.client.transport;

import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;

/** Reports that the server answered the WebSocket upgrade with an HTTP error. */
public final class UpgradeRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;

    public UpgradeRefusedException(int status, String text) {
        super(VisibleText.oneLine("HTTP error: " + status + " " + text));
        this.status = status;
    }

    public int status() {
        return status;
    }

    /**
     * Returns true if another attempt would be refused too: for wrong or missing credentials, or by an Origin guard.
     */
    public boolean permanent() {
        return status == 401 || status == 403;
    }
}
