package dev.execserver.sandbox.paths;

/**
 * A policy that cannot be enforced on the present files. Nothing is started. The message names the entry or file and the
 * remedy; the client gets it.
 */
public final class PolicyRefusedException extends RuntimeException {
    public PolicyRefusedException(String message) {
        super(message);
    }
}
