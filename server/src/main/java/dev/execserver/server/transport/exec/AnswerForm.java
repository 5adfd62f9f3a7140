package dev.execserver.server.transport.exec;

import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.util.Locale;

/** Form of an answer, chosen by the Accept header of its request. */
enum AnswerForm {
    /** The result alone. */
    RESULT("application/json"),
    /** Output, then the result, each on a line. */
    LINES("application/x-ndjson"),
    /** Output, then the result, each as a server-sent event. */
    EVENTS("text/event-stream");

    private final String type;

    AnswerForm(String type) {
        this.type = type;
    }

    String type() {
        return type;
    }

    boolean streams() {
        return this != RESULT;
    }

    static AnswerForm of(ServerRequestHeaders headers) {
        if (!headers.contains(HeaderNames.ACCEPT)) {
            return RESULT;
        }
        String accepted =
                String.join(",", headers.get(HeaderNames.ACCEPT).allValues()).toLowerCase(Locale.ROOT);
        if (accepted.contains(EVENTS.type)) {
            return EVENTS;
        }
        return accepted.contains(LINES.type) ? LINES : RESULT;
    }
}
