package dev.execserver.server.transport;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Reason why a connection ends: a status code of RFC 6455 section 7.4.1 and a text for people.
 *
 * @param code 1000 to 4999
 * @param reason at most 123 bytes of UTF-8, because a close frame carries no more; longer texts are cut
 */
public record CloseReason(int code, String reason) {
    private static final int MAX_REASON_BYTES = 123;

    public static final CloseReason NORMAL = new CloseReason(1000, "");
    public static final CloseReason GOING_AWAY = new CloseReason(1001, "server is shutting down");
    public static final CloseReason PROTOCOL_ERROR = new CloseReason(1002, "protocol error");
    public static final CloseReason INVALID_UTF8 = new CloseReason(1007, "text is not valid UTF-8");
    public static final CloseReason POLICY = new CloseReason(1008, "policy violation");
    public static final CloseReason TOO_BIG = new CloseReason(1009, "message too big");
    public static final CloseReason INTERNAL_ERROR = new CloseReason(1011, "internal error");
    /** Registered with IANA after RFC 6455. */
    public static final CloseReason TRY_AGAIN_LATER = new CloseReason(1013, "try again later");

    public CloseReason {
        if (code < 1000 || code > 4999) {
            throw new IllegalArgumentException("close code out of range: " + code);
        }
        reason = cut(Objects.requireNonNull(reason, "reason"));
    }

    /** Returns the same code with another text. */
    public CloseReason because(String text) {
        return new CloseReason(code, text);
    }

    private static String cut(String text) {
        String shorter = text;
        while (shorter.getBytes(StandardCharsets.UTF_8).length > MAX_REASON_BYTES) {
            int end = Math.min(shorter.length() - 1, MAX_REASON_BYTES);
            // do not cut a surrogate pair in half: the half would be encoded as '?'
            shorter = shorter.substring(0, Character.isHighSurrogate(shorter.charAt(end - 1)) ? end - 1 : end);
        }
        return shorter;
    }

    @Override
    public String toString() {
        return reason.isEmpty() ? Integer.toString(code) : code + " " + reason;
    }
}
