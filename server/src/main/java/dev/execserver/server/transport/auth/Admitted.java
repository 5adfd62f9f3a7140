package dev.execserver.server.transport.auth;

import dev.execserver.server.rights.Rights;
import java.util.Optional;

/**
 * Client that was admitted.
 *
 * @param subject the owner that its credential names
 * @param rights what it may do: what the credential allows, or less
 */
public record Admitted(Optional<Subject> subject, Rights rights) {

    /** Describes a client that has all rights of its credential. */
    public Admitted(Optional<Subject> subject) {
        this(subject, Subject.rights(subject));
    }
}
