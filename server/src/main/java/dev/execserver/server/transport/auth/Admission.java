package dev.execserver.server.transport.auth;

import java.util.Optional;

/** The answer of an {@link Authenticator}. */
public sealed interface Admission {
    Admission ANYBODY = new Granted(Optional.empty());

    /** @param subject whom the credential names; empty when it names nobody */
    record Granted(Optional<Subject> subject) implements Admission {}

    /** @param why what the 401 answer says */
    record Refused(String why) implements Admission {}
}
