package dev.execserver.server.transport.auth;

import java.util.Optional;
import java.util.function.Function;

/** {@code Authorization: Bearer TOKEN} (RFC 6750 section 2.1); the scheme word is case-insensitive (RFC 9110 11.1). */
final class BearerHeader {
    static final String MISSING = "missing websocket bearer token";
    static final String INVALID = "invalid authorization header";

    private BearerHeader() {}

    /** Takes the token out of the header and lets {@code check} say what is wrong with it. */
    static Optional<String> refusal(Optional<String> header, Function<String, Optional<String>> check) {
        if (header.isEmpty()) {
            return Optional.of(MISSING);
        }
        String value = header.get().strip();
        int space = value.indexOf(' ');
        if (space < 0 || !value.substring(0, space).equalsIgnoreCase("bearer")) {
            return Optional.of(INVALID);
        }
        return check.apply(value.substring(space + 1).strip());
    }
}
