package dev.execserver.client.rpc;

import dev.execserver.client.error.RequestFailedException;
import java.io.IOException;

/** Another connection holds the session, perhaps one that is dead and not known to be: worth another attempt. */
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
