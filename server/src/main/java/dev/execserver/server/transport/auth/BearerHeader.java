package dev.execserver.server.transport.auth;

import java.util.List;
import java.util.function.Function;

/**
 * Reads {@code Authorization: Bearer TOKEN} (RFC 6750 section 2.1). The scheme is case-insensitive (RFC 9110 section
 * 11.1).
 */
final class BearerHeader {
    static final String MISSING = "missing websocket bearer token";
    static final String INVALID = "invalid authorization header";
    static final String SEVERAL = "more than one authorization header";

    private BearerHeader() {}

    /**
     * Takes the token out of the header and lets {@code check} decide. Two headers are refused, because a proxy and
     * this server could disagree on which one counts (RFC 9110 section 5.3).
     */
    static Admission check(List<String> headers, Function<String, Admission> check) {
        if (headers.isEmpty()) {
            return new Admission.Refused(MISSING);
        }
        if (headers.size() > 1) {
            return new Admission.Refused(SEVERAL);
        }
        String value = headers.getFirst().strip();
        int space = value.indexOf(' ');
        if (space < 0 || !value.substring(0, space).equalsIgnoreCase("bearer") || !printable(value)) {
            return new Admission.Refused(INVALID);
        }
        return check.apply(value.substring(space + 1).strip());
    }

    /**
     * Returns true if all characters are printable ASCII. Different bytes above ASCII may come out of a header as the
     * same character, so a token must not contain them.
     */
    private static boolean printable(String value) {
        return value.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    }
}
