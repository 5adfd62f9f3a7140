package dev.execserver.server.transport.management;

import java.util.Map;
import java.util.Optional;

/** Pages of one kind. Connection threads call, several at a time. */
@FunctionalInterface
public interface Page {
    /**
     * A request.
     *
     * @param post true for POST, false for GET
     * @param path decoded
     * @param query decoded members
     */
    record Request(boolean post, String path, Map<String, String> query) {}

    /**
     * An answer.
     *
     * @param status HTTP status
     * @param contentType with its charset
     */
    record Reply(int status, String contentType, String body) {
        private static final int OK = 200;

        /** Makes a good answer of plain text. */
        public static Reply text(String body) {
            return new Reply(OK, "text/plain; charset=utf-8", body);
        }

        /** Makes a good answer of JSON. */
        public static Reply json(String body) {
            return new Reply(OK, "application/json", body);
        }

        /** Makes an answer that says what is wrong. */
        public static Reply fault(int status, String why) {
            return new Reply(status, "text/plain; charset=utf-8", why + "\n");
        }
    }

    /** Answers; empty if this is no page of this kind. */
    Optional<Reply> answer(Request request);
}
