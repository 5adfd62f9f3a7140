package dev.execserver.client.files;

import java.io.IOException;

/** The server has refused a transfer. */
public final class TransferFailedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;

    TransferFailedException(int status, String text) {
        super("HTTP status " + status + (text.isEmpty() ? "" : ": " + text));
        this.status = status;
    }

    /** Status of HTTP: 404 without the file, 412 when it is in another state, 507 on a full disk. */
    public int status() {
        return status;
    }
}
