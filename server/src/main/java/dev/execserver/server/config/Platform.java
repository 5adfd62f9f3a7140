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
 */
public record Platform(Pty pty, boolean guardian, PidNamespace pidNamespace, Sandbox sandbox) {
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

    public static final Platform DEFAULTS =
            new Platform(DEFAULT_PTY, DEFAULT_GUARDIAN, DEFAULT_PID_NAMESPACE, Sandbox.DEFAULTS);

    public Platform {
        requireNonNull(pty, "pty");
        requireNonNull(pidNamespace, "pidNamespace");
        requireNonNull(sandbox, "sandbox");
    }

    public Platform withPty(Pty newPty) {
        return new Platform(newPty, guardian, pidNamespace, sandbox);
    }

    public Platform withGuardian(boolean newGuardian) {
        return new Platform(pty, newGuardian, pidNamespace, sandbox);
    }

    public Platform withSandbox(Sandbox newSandbox) {
        return new Platform(pty, guardian, pidNamespace, newSandbox);
    }
}
