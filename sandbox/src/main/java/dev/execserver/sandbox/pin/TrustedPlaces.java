package dev.execserver.sandbox.pin;

import dev.execserver.sandbox.paths.LinuxPath;
import java.util.Optional;

/** Decides if the server trusts all users who can have written a file. */
@FunctionalInterface
public interface TrustedPlaces {
    /** Trusts every file: for programs that the operator names, and those of the installation. */
    TrustedPlaces ANYWHERE = path -> Optional.empty();

    /** Returns the reason why the file is not trusted; empty if it is trusted. */
    Optional<String> fault(LinuxPath path);

    /** Returns true if a command of this server can replace a trusted file if its profile permits. */
    default boolean replaceable() {
        return true;
    }
}
