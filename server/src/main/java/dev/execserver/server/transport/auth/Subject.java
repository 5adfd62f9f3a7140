package dev.execserver.server.transport.auth;

import dev.execserver.server.rights.Rights;
import java.util.Objects;
import java.util.Optional;

/**
 * Owner of a credential: the claim {@code sub}, which is unique only among the tokens of one issuer (RFC 7519 section
 * 4.1.2), a local user, or a client that the operator has named. Two subjects are equal if they name the same owner: its
 * sessions stay its own when the operator changes its rights.
 *
 * @param rights with which this credential was admitted
 */
public record Subject(Optional<String> issuer, String name, Rights rights) {

    /** Describes an owner that only the settings of the server bound. */
    public Subject(Optional<String> issuer, String name) {
        this(issuer, name, Rights.ALL);
    }

    /** Returns the rights of a client; all for one without a name. */
    public static Rights rights(Optional<Subject> subject) {
        return subject.map(Subject::rights).orElse(Rights.ALL);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Subject subject && issuer.equals(subject.issuer) && name.equals(subject.name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(issuer, name);
    }
}
