package dev.execserver.sandbox.limits;

/** A limit that cannot be enforced here, so that nothing is started. The message goes to the client. */
public final class LimitRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LimitRefusedException(String message) {
        super(message);
    }
}
