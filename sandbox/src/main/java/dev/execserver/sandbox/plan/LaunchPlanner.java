package dev.execserver.sandbox.plan;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.bwrap.BwrapPlan;
import dev.execserver.sandbox.bwrap.BwrapProgram;
import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.sandbox.probe.Wsl;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import dev.execserver.sandbox.seccomp.FilterMode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Chooses the backend for a policy, or refuses. Pure; any thread. */
public final class LaunchPlanner {
    private static final String WSL1 =
            "the Linux sandbox uses bubblewrap, which is not supported on WSL1, because WSL1 cannot create the required user"
                    + " namespaces; use WSL2 for sandboxed commands";
    private static final String INSTALL =
            "; install bubblewrap (Debian: apt-get install bubblewrap) or name one with --bwrap";
    private static final String DOCTOR = "; `exec-server doctor` says more";

    /** Where packages put programs, and only whoever administers the machine writes. */
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
     * The plan for one command.
     *
     * @param directory working directory of the command, canonical
     * @param wantsLandlock whether the request asks for the Landlock backend
     * @throws SandboxRefusedException when nothing here enforces the policy
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
            return bubblewrap(policy, directory, filter, !network, List.of());
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
     * The plan for a command whose network is its proxies, whatever the policy says of the network.
     *
     * @param policy of a managed profile
     * @param wantsLandlock as in {@link #plan}; Landlock has no network of its own to give
     * @throws SandboxRefusedException when there is no such network here
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

    /** Why bubblewrap cannot be used; empty when it can. */
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
            ResolvedPolicy policy,
            LinuxPath directory,
            FilterMode filter,
            boolean isolateNetwork,
            List<Integer> doors) {
        return new LaunchPlan.Bubblewrap(new BwrapPlan(
                program(policy, directory),
                policy,
                workingDirectory(policy, directory),
                filter,
                isolateNetwork,
                options.isolatePids(),
                options.sealed(),
                options.checked(),
                host.signalReset().filter(env -> policy.access(env).readable()),
                host.freshProc(),
                host.linkMounts(),
                doors));
    }

    /**
     * A program that the command could replace would be run for the next one, outside of its sandbox; one that is pinned
     * cannot be replaced. Under a policy that makes the whole file system writable nothing is safe, this server included; that is
     * what the policy asks for. Nor is one that is not pinned used when it lies where the command works, except where the
     * system keeps its programs: an earlier command may have put it there.
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

    /** A place that is not part of the view at all cannot be entered; the root always can. */
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
