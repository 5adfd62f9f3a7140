package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

/**
 * How programs are run on this machine.
 *
 * @param pty who opens pseudo terminals
 * @param guardian whether a small shell process outlives a killed server just long enough to end what it started
 * @param pidNamespace whether a sandbox has process ids of its own; kept for the sandbox, without effect until then
 */
public record Platform(Pty pty, boolean guardian, PidNamespace pidNamespace) {
    /** Who opens pseudo terminals. */
    public enum Pty {
        /** Our own binding to the C library. */
        FFM,
        /** The pty4j library. */
        PTY4J
    }

    /** Whether a sandboxed program sees the processes outside. */
    public enum PidNamespace {
        ISOLATE,
        INHERIT
    }

    public static final Pty DEFAULT_PTY = Pty.FFM;
    public static final boolean DEFAULT_GUARDIAN = true;
    public static final PidNamespace DEFAULT_PID_NAMESPACE = PidNamespace.ISOLATE;

    public static final Platform DEFAULTS = new Platform(DEFAULT_PTY, DEFAULT_GUARDIAN, DEFAULT_PID_NAMESPACE);

    public Platform {
        requireNonNull(pty, "pty");
        requireNonNull(pidNamespace, "pidNamespace");
    }

    public Platform withPty(Pty newPty) {
        return new Platform(newPty, guardian, pidNamespace);
    }

    public Platform withGuardian(boolean newGuardian) {
        return new Platform(pty, newGuardian, pidNamespace);
    }
}
