package dev.execserver.client.files;

import java.io.IOException;
import java.time.Duration;

/** Reports a transfer over HTTP in which nothing has moved for the time limit. Its connection is most likely dead. */
public final class TransferStalledException extends IOException {

    private static final long serialVersionUID = 1L;

    TransferStalledException(Duration limit) {
        super("nothing has moved over HTTP for " + limit.toMillis() + " ms");
    }
}
