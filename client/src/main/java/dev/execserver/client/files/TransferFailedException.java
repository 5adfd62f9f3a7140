package dev.execserver.client.files;

import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;

/** Reports that the server has refused a transfer. */
public final class TransferFailedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;

    TransferFailedException(int status, String text) {
        super("HTTP status " + status + (text.isEmpty() ? "" : ": " + VisibleText.oneLine(text)));
        this.status = status;
    }

    /** Returns the HTTP status: 404 for a missing file, 412 for another version of it, 507 for a full disk. */
    public int status() {
        return status;
    }
}
