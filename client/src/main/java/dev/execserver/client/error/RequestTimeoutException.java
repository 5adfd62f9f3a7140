package dev.execserver.client.error;

import java.time.Duration;

/** No answer within the limit, though the connection lived. Whether the request was carried out is not known. */
public final class RequestTimeoutException extends ExecServerException {

    private static final long serialVersionUID = 1L;

    public RequestTimeoutException(String method, Duration limit) {
        super(method + " was not answered within " + limit.toMillis() + " ms");
    }
}
