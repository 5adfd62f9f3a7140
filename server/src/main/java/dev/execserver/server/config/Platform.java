package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How programs are run on this machine.
 *
 * @param pty who opens pseudo terminals
 * @param guardian whether a small shell process outlives a killed server just long enough to end what it started
 * @param pidNamespace whether a sandbox has process ids of its own
 * @param sandbox how sandboxes are built
 * @param helper how long a helper for file calls in sandboxes lives
 */
public record Platform(Pty pty, boolean guardian, PidNamespace pidNamespace, Sandbox sandbox, Helper helper) {
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

    /** How long a helper for file calls in sandboxes lives. */
    public enum Helper {
        /** For as long as it is used, if the view that it has is the one that a new one would have. */
        WARM,
        /** For one request. */
        ONESHOT
    }

    /** What confines sandboxed programs. */
    public enum SandboxBackend {
        /** bubblewrap, or Landlock where namespaces are denied and it enforces the same. */
        AUTO,
        /** Landlock, also where bubblewrap would work. */
        LANDLOCK
    }

    /**
     * How sandboxes are built.
     *
     * @param proc whether they have a /proc
     * @param required whether every request has to be sandboxed
     * @param floor a profile that no request gets more than
     */
    public record Sandbox(SandboxBackend backend, boolean proc, boolean required, Optional<Path> floor) {
        public static final SandboxBackend DEFAULT_BACKEND = SandboxBackend.AUTO;
        public static final boolean DEFAULT_PROC = true;
        public static final boolean DEFAULT_REQUIRED = false;
        public static final Sandbox DEFAULTS =
                new Sandbox(DEFAULT_BACKEND, DEFAULT_PROC, DEFAULT_REQUIRED, Optional.empty());

        public Sandbox {
            requireNonNull(backend, "backend");
            floor = floor.map(Path::toAbsolutePath);
        }
    }

    public static final Pty DEFAULT_PTY = Pty.FFM;
    public static final boolean DEFAULT_GUARDIAN = true;
    public static final PidNamespace DEFAULT_PID_NAMESPACE = PidNamespace.ISOLATE;
    public static final Helper DEFAULT_HELPER = Helper.WARM;

    public static final Platform DEFAULTS =
            new Platform(DEFAULT_PTY, DEFAULT_GUARDIAN, DEFAULT_PID_NAMESPACE, Sandbox.DEFAULTS, DEFAULT_HELPER);

    public Platform {
        requireNonNull(pty, "pty");
        requireNonNull(pidNamespace, "pidNamespace");
        requireNonNull(sandbox, "sandbox");
        requireNonNull(helper, "helper");
    }

    public Platform withPty(Pty newPty) {
        return new Platform(newPty, guardian, pidNamespace, sandbox, helper);
    }

    public Platform withGuardian(boolean newGuardian) {
        return new Platform(pty, newGuardian, pidNamespace, sandbox, helper);
    }

    public Platform withSandbox(Sandbox newSandbox) {
        return new Platform(pty, guardian, pidNamespace, newSandbox, helper);
    }
}
