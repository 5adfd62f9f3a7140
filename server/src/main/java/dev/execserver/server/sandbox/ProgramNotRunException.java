package dev.execserver.server.sandbox;

import dev.execserver.sandbox.linux.Errno;

/** Thrown if the program of a sandboxed command does not exist in the sandbox or cannot be executed. */
public final class ProgramNotRunException extends RuntimeException {
    private static final String HIDDEN = "; it exists, but the profile hides it; an entry for root or minimal"
            + " shows what programs need of the platform";

    private final int errno;

    /** @param hidden true if it exists outside of the sandbox */
    ProgramNotRunException(String program, int errno, boolean hidden) {
        super("program `%s`: %s%s".formatted(program, Errno.text(errno), hidden ? HIDDEN : ""));
        this.errno = errno;
    }

    private ProgramNotRunException(String message) {
        super(message);
        this.errno = Errno.EACCES;
    }

    /** Returns the failure of a program that rules do not allow. */
    static ProgramNotRunException denied(String message) {
        return new ProgramNotRunException(message);
    }

    /** Returns true if the program was not found, false if it cannot be executed. */
    public boolean missing() {
        return errno == Errno.ENOENT;
    }
}
