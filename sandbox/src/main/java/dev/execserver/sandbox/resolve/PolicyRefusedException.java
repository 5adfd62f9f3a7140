package dev.execserver.sandbox.resolve;

/**
 * A policy that cannot be enforced as it is on the files as they are, so that nothing is started. The message names the
 * entry or file and what to do about it; it goes to the client.
 */
public final class PolicyRefusedException extends RuntimeException {
    public PolicyRefusedException(String message) {
        super(message);
    }
}
