package dev.execserver.server.sandbox;

import dev.execserver.sandbox.linux.Errno;

/** The program of a sandboxed command is missing, for the command at least, or it cannot be executed. */
public final class ProgramNotRunException extends RuntimeException {
    private static final String HIDDEN = "; it exists, but the profile hides it; an entry for root or minimal"
            + " shows what programs need of the platform";

    private final int errno;

    /** @param hidden whether it is there outside of the sandbox */
    ProgramNotRunException(String program, int errno, boolean hidden) {
        super("program `%s`: %s%s".formatted(program, Errno.text(errno), hidden ? HIDDEN : ""));
        this.errno = errno;
    }

    /** Whether it was not found; otherwise it may not be executed. */
    public boolean missing() {
        return errno == Errno.ENOENT;
    }
}
