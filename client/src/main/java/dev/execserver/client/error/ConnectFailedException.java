package dev.execserver.client.error;

import java.util.OptionalInt;

/** Reports that the first connection could not be made, or its handshake failed. Nothing was started. */
public final class ConnectFailedException extends ExecServerException {

    private static final long serialVersionUID = 1L;

    private final int httpStatus;

    public ConnectFailedException(String message, OptionalInt httpStatus, Throwable cause) {
        super(message, cause);
        this.httpStatus = httpStatus.orElse(0);
    }

    /**
     * Returns the HTTP status with which the upgrade was refused, 401 for a wrong token; empty for any other failure.
     */
    public OptionalInt httpStatus() {
        return httpStatus == 0 ? OptionalInt.empty() : OptionalInt.of(httpStatus);
    }
}
