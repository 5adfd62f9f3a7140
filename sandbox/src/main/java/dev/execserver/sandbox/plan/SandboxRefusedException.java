package dev.execserver.sandbox.plan;

/** A policy that cannot be enforced on this machine. Nothing is started. The message names the reason and the remedy. */
public final class SandboxRefusedException extends RuntimeException {
    public SandboxRefusedException(String message) {
        super(message);
    }
}
