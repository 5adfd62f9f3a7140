package dev.execserver.server.transport.auth;

import java.util.Optional;

/** Answer of an {@link Authenticator}. */
public sealed interface Admission {
    Admission ANYBODY = new Granted(Optional.empty());

    /** @param subject the owner that the credential names; empty if it names none */
    record Granted(Optional<Subject> subject) implements Admission {}

    /** @param why text of the 401 answer */
    record Refused(String why) implements Admission {}
}
