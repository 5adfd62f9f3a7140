package dev.execserver.sandbox.pin;

import dev.execserver.sandbox.resolve.LinuxPath;
import java.util.Optional;

/** Decides whether a file may have been put there by somebody whom the server does not trust. */
@FunctionalInterface
public interface TrustedPlaces {
    /** Trusts every file: for programs that the operator names, and those of the installation. */
    TrustedPlaces ANYWHERE = path -> Optional.empty();

    /** The reason for which the file is not trusted, in words; empty when it is trusted. */
    Optional<String> fault(LinuxPath path);

    /** Returns true if a command of this server can replace what is trusted here, when its profile lets it. */
    default boolean replaceable() {
        return true;
    }
}
