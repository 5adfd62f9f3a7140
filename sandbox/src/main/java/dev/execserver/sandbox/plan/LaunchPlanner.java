package dev.execserver.sandbox.plan;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.bwrap.BwrapPlan;
import dev.execserver.sandbox.bwrap.BwrapProgram;
import dev.execserver.sandbox.network.InnerSockets;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.sandbox.probe.Wsl;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import dev.execserver.sandbox.seccomp.FilterMode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Chooses the backend for a policy, or refuses it. Pure; any thread. */
public final class LaunchPlanner {
    private static final String WSL1 =
            "the Linux sandbox uses bubblewrap, which is not supported on WSL1, because WSL1 cannot create the required user"
                    + " namespaces; use WSL2 for sandboxed commands";
    private static final String INSTALL =
            "; install bubblewrap (Debian: apt-get install bubblewrap) or name one with --bwrap";
    private static final String DOCTOR = "; `exec-server doctor` says more";

    /** Directories where packages put programs and where only the administrator writes. */
    private static final List<LinuxPath> SYSTEM = Stream.of("/usr", "/bin", "/sbin", "/opt", "/nix/store")
            .map(LinuxPath::of)
            .toList();

    private final HostCapabilities host;
    private final PlanOptions options;

    public LaunchPlanner(HostCapabilities host, PlanOptions options) {
        this.host = host;
        this.options = options;
    }

    /**
     * Returns the plan for one command.
     *
     * @param directory working directory of the command, canonical
     * @param wantsLandlock true if the request asks for the Landlock backend
     * @throws SandboxRefusedException if no backend on this machine enforces the policy
     */
    public LaunchPlan plan(ResolvedPolicy policy, LinuxPath directory, boolean wantsLandlock) {
        boolean network = policy.network().enabled();
        if (policy.kind() == Kind.DISABLED || (policy.fullWrite() && network)) {
            return new LaunchPlan.Direct();
        }
        if (policy.kind() == Kind.EXTERNAL) {
            requireFilters();
            return new LaunchPlan.FilterOnly(FilterMode.RESTRICTED);
        }
        requireFilters();
        FilterMode filter = network ? FilterMode.VM_SOCKET_RESTRICTED : FilterMode.RESTRICTED;
        if (wantsLandlock || options.forceLandlock()) {
            return landlock(policy, filter);
        }
        Optional<String> obstacle = obstacle(network);
        if (obstacle.isEmpty()) {
            return bubblewrap(policy, directory, filter, !network, InnerSockets.NONE);
        }
        if (host.wsl() == Wsl.WSL1) {
            throw new SandboxRefusedException(WSL1);
        }
        return host.standIn()
                        && LandlockPlan.obstacle(policy, host.landlockAbi()).isEmpty()
                ? landlock(policy, filter)
                : refuse(obstacle.get());
    }

    /**
     * Returns the plan for a command whose only network is its proxies. The network of the policy is ignored.
     *
     * @param policy of a managed profile
     * @param wantsLandlock as in {@link #plan}; refused, because Landlock cannot make a network namespace
     * @throws SandboxRefusedException if no such network can be made on this machine
     */
    public LaunchPlan plan(ResolvedPolicy policy, LinuxPath directory, boolean wantsLandlock, ProxiedNetwork network) {
        requireFilters();
        if (wantsLandlock || options.forceLandlock()) {
            throw new SandboxRefusedException(
                    "managed network needs a network namespace, which Landlock does not make; use bubblewrap");
        }
        Optional<String> obstacle = obstacle(false);
        if (obstacle.isPresent()) {
            return refuse(host.wsl() == Wsl.WSL1 ? WSL1 : obstacle.get());
        }
        return bubblewrap(policy, directory, network.filter(), true, network.doors());
    }

    private void requireFilters() {
        if (!host.seccomp()) {
            throw new SandboxRefusedException(
                    "system calls cannot be filtered here (seccomp), so the policy cannot be enforced" + DOCTOR);
        }
    }

    /** Returns the reason why bubblewrap cannot be used; empty if it can. */
    private Optional<String> obstacle(boolean network) {
        if (host.bubblewraps().isEmpty()) {
            return Optional.of("bubblewrap is unavailable: " + host.namespaces().orElse("none was found") + INSTALL);
        }
        return host.namespaces()
                .or(() -> network ? Optional.empty() : host.network())
                .map(reason -> "bubblewrap cannot create the namespaces that the sandbox needs: " + reason);
    }

    private static LaunchPlan refuse(String reason) {
        throw new SandboxRefusedException(reason + DOCTOR);
    }

    private LaunchPlan landlock(ResolvedPolicy policy, FilterMode filter) {
        LandlockPlan.obstacle(policy, host.landlockAbi()).ifPresent(reason -> {
            throw new SandboxRefusedException(reason);
        });
        return new LaunchPlan.LandlockSeccomp(
                LandlockPlan.of(policy, host.landlockAbi().orElseThrow(), filter));
    }

    private LaunchPlan bubblewrap(
            ResolvedPolicy policy, LinuxPath directory, FilterMode filter, boolean isolateNetwork, InnerSockets doors) {
        return new LaunchPlan.Bubblewrap(new BwrapPlan(
                program(policy, directory),
                policy,
                workingDirectory(policy, directory),
                filter,
                isolateNetwork,
                options.isolatePids(),
                options.sealed(),
                host.signalReset().filter(env -> policy.access(env).readable()),
                host.freshProc(),
                host.linkMounts(),
                doors));
    }

    /**
     * Returns the first bubblewrap that is safe for this policy. A pinned program is always safe. Others must not be writable
     * for the command, because it could replace the program, which runs outside of the next sandbox. Nor may they lie in the
     * working directory, where an earlier command may have put them, unless it is a system directory. A policy that makes the
     * whole file system writable asks for no such safety, so any program will do.
     */
    private BwrapProgram program(ResolvedPolicy policy, LinuxPath directory) {
        return host.bubblewraps().stream()
                .filter(program -> program.launch().pinned()
                        || policy.access(LinuxPath.ROOT) == Access.WRITE
                        || (policy.access(program.path()) != Access.WRITE
                                && (directory.isRoot()
                                        || !program.path().startsWith(directory)
                                        || SYSTEM.stream().anyMatch(program.path()::startsWith))))
                .findFirst()
                .orElseThrow(() -> refused(host.bubblewraps().getFirst().path(), policy, directory));
    }

    private static SandboxRefusedException refused(LinuxPath program, ResolvedPolicy policy, LinuxPath directory) {
        String rule = policy.access(program) == Access.WRITE
                ? "the profile makes " + program
                        + " writable, and the command could replace the bwrap that runs outside of"
                        + " its sandbox; leave it out of the writable places, or name another one with --bwrap"
                : program + " lies in the working directory of the command, " + directory
                        + ", and a bwrap is taken from there"
                        + " only below /usr, /bin, /sbin, /opt or /nix/store; start the command somewhere else, or name the"
                        + " bwrap with --bwrap";
        return new SandboxRefusedException(rule);
    }

    /** Returns the working directory inside of the sandbox: the root if the directory is not part of the view. */
    private static LinuxPath workingDirectory(ResolvedPolicy policy, LinuxPath directory) {
        if (policy.access(directory).readable() || policy.opensBelow(directory)) {
            return directory;
        }
        if (policy.governing(directory).isEmpty()) {
            return LinuxPath.ROOT;
        }
        throw new SandboxRefusedException(
                "the working directory " + directory + " is denied by the policy; start the command somewhere else");
    }
}
