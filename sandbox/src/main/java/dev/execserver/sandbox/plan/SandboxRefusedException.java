package dev.execserver.sandbox.plan;

/** The policy cannot be enforced on this machine, so nothing is started. The message says why and what helps. */
public final class SandboxRefusedException extends RuntimeException {
    public SandboxRefusedException(String message) {
        super(message);
    }
}
