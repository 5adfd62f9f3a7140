package dev.execserver.client.error;

import java.time.Duration;

/**
 * Reports that no answer came within the limit, although the connection worked. It is not known if the request was
 * carried out.
 */
public final class RequestTimeoutException extends ExecServerException {

    private static final long serialVersionUID = 1L;

    public RequestTimeoutException(String method, Duration limit) {
        super(method + " was not answered within " + limit.toMillis() + " ms");
    }
}
