package dev.execserver.client.rpc;

import dev.execserver.client.error.RequestFailedException;
import java.io.IOException;

/**
 * Reports that another connection holds the session. That connection may be dead without the server knowing it, so
 * another attempt is worthwhile.
 */
final class SessionBusyException extends IOException {

    private static final long serialVersionUID = 1L;

    private final RequestFailedException answer;

    SessionBusyException(RequestFailedException answer) {
        super(answer.serverMessage(), answer);
        this.answer = answer;
    }

    RequestFailedException answer() {
        return answer;
    }
}
