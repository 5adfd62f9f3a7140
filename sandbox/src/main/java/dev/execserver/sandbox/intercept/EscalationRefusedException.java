package dev.execserver.sandbox.intercept;

/** Thrown when a program may not leave its sandbox, or the sandbox that it would enter cannot be built. */
public final class EscalationRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean temporary;

    private EscalationRefusedException(String message, boolean temporary) {
        super(message);
        this.temporary = temporary;
    }

    /** @param message why; the program's caller reads it */
    public EscalationRefusedException(String message) {
        this(message, false);
    }

    /** Returns one for a start that was disturbed by changes of this machine and can be tried again. */
    public static EscalationRefusedException disturbed(String message) {
        return new EscalationRefusedException(message, true);
    }

    /** Returns true if the start can be tried again. */
    public boolean temporary() {
        return temporary;
    }
}
