package dev.execserver.sandbox.limits;

/** A limit that cannot be enforced here. The command is not started, and the client gets the message. */
public final class LimitRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LimitRefusedException(String message) {
        super(message);
    }
}
