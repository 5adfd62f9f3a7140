package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import dev.execserver.server.rights.CommandBounds;
import java.util.List;
import java.util.Optional;

/**
 * Settings for running programs on this machine.
 *
 * @param pty library that opens pseudo terminals
 * @param guardian true to keep a small shell process that ends the programs of a killed server and then itself
 * @param pidNamespace isolation of process ids in a sandbox
 * @param sandbox settings of sandboxes
 * @param helper lifetime of a helper for file calls in sandboxes
 * @param bounds limits of all commands
 */
public record Platform(
        Pty pty, boolean guardian, PidNamespace pidNamespace, Sandbox sandbox, Helper helper, CommandBounds bounds) {
    /** Library that opens pseudo terminals. */
    public enum Pty {
        /** Our own binding to the C library. */
        FFM,
        /** The pty4j library. */
        PTY4J
    }

    /** Isolation of process ids: decides if a sandboxed program sees the processes outside. */
    public enum PidNamespace {
        ISOLATE,
        INHERIT
    }

    /** Lifetime of a helper for file calls in sandboxes. */
    public enum Helper {
        /** The helper is kept and used again, as long as a new helper would have the same view of the files. */
        WARM,
        /** The helper ends after one request. */
        ONESHOT
    }

    /** Mechanism that confines sandboxed programs. */
    public enum SandboxBackend {
        /** bubblewrap; or Landlock if namespaces are denied and Landlock enforces the same. */
        AUTO,
        /** Landlock, even if bubblewrap would work. */
        LANDLOCK
    }

    /**
     * Settings of sandboxes.
     *
     * @param proc true if sandboxes have a /proc
     * @param required true if every request has to be sandboxed
     * @param floor profile that bounds the rights of every request: JSON, a file or a name
     * @param transparentTcp true if each sandbox with a proxy of the server serves programs that know no proxy
     * @param tcpUpstream proxy for connections that are not HTTP
     * @param keptVariables names of variables that a program keeps when it leaves its sandbox, beside those that are built in
     */
    public record Sandbox(
            SandboxBackend backend,
            boolean proc,
            boolean required,
            Optional<String> floor,
            boolean transparentTcp,
            Optional<UpstreamAddress> tcpUpstream,
            List<String> keptVariables) {
        public static final SandboxBackend DEFAULT_BACKEND = SandboxBackend.AUTO;
        public static final boolean DEFAULT_PROC = true;
        public static final boolean DEFAULT_REQUIRED = false;
        public static final boolean DEFAULT_TRANSPARENT_TCP = false;
        public static final Sandbox DEFAULTS = new Sandbox(
                DEFAULT_BACKEND,
                DEFAULT_PROC,
                DEFAULT_REQUIRED,
                Optional.empty(),
                DEFAULT_TRANSPARENT_TCP,
                Optional.empty(),
                List.of());

        public Sandbox {
            requireNonNull(backend, "backend");
            requireNonNull(floor, "floor");
            keptVariables = List.copyOf(keptVariables);
        }
    }

    public static final Pty DEFAULT_PTY = Pty.FFM;
    public static final boolean DEFAULT_GUARDIAN = true;
    public static final PidNamespace DEFAULT_PID_NAMESPACE = PidNamespace.ISOLATE;
    public static final Helper DEFAULT_HELPER = Helper.WARM;

    public static final Platform DEFAULTS = new Platform(
            DEFAULT_PTY, DEFAULT_GUARDIAN, DEFAULT_PID_NAMESPACE, Sandbox.DEFAULTS, DEFAULT_HELPER, CommandBounds.NONE);

    public Platform {
        requireNonNull(pty, "pty");
        requireNonNull(pidNamespace, "pidNamespace");
        requireNonNull(sandbox, "sandbox");
        requireNonNull(helper, "helper");
        requireNonNull(bounds, "bounds");
    }

    public Platform withPty(Pty newPty) {
        return new Platform(newPty, guardian, pidNamespace, sandbox, helper, bounds);
    }

    public Platform withGuardian(boolean newGuardian) {
        return new Platform(pty, newGuardian, pidNamespace, sandbox, helper, bounds);
    }

    public Platform withSandbox(Sandbox newSandbox) {
        return new Platform(pty, guardian, pidNamespace, newSandbox, helper, bounds);
    }

    public Platform withBounds(CommandBounds newBounds) {
        return new Platform(pty, guardian, pidNamespace, sandbox, helper, newBounds);
    }
}
