package dev.execserver.sandbox.probe;

import dev.execserver.sandbox.bwrap.BwrapCandidates;
import dev.execserver.sandbox.bwrap.BwrapFinder;
import dev.execserver.sandbox.bwrap.BwrapProgram;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.MountGeneration;
import dev.execserver.sandbox.linux.RestrictionCalls;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.probe.Finding.Layer;
import dev.execserver.sandbox.probe.Finding.Status;
import dev.execserver.sandbox.spawn.Launch;
import dev.execserver.sandbox.tree.BoundedRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Tries each layer that sandboxes are made of. Every program must answer within {@link #LIMIT}, so that a file system or a
 * fake program that hangs cannot keep the server from starting. One virtual thread uses it, once.
 */
public final class Doctor {
    public static final Duration LIMIT = Duration.ofSeconds(2);

    private static final String ENV = "/usr/bin/env";
    private static final String NO_BWRAP = "No bubblewrap was found on the server's PATH.";
    private static final String INSTALL =
            "Install bubblewrap with the package manager (Debian: apt-get install bubblewrap).";
    private static final String WSL1_REFUSED = "WSL1 cannot create the user namespaces that sandboxed commands need.";
    private static final String ALLOW_NAMESPACES =
            "Allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces above 0,"
                    + " on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; in a container run it with"
                    + " --security-opt seccomp=docker/seccomp.json --security-opt systempaths=unconfined (docs/containers.md).";

    private static final String NEEDS_OF_BRIDGE =
            "It takes Linux 5.8, a bubblewrap that is not set-user-ID, and in a container"
                    + " a profile that allows setns(2), such as docker/seccomp.json.";

    private static final String NEEDS_OF_LINKS =
            "It takes Linux 5.12, a bubblewrap that is not set-user-ID, and in a container a profile that allows setns(2),"
                    + " open_tree(2), mount_setattr(2) and move_mount(2).";

    private final BoundedRun runs;
    private final BridgeProbe bridge;
    private final BwrapCandidates candidates;
    private final HostFacts facts;
    private final boolean mountProc;
    private final Duration limit;
    private final List<Finding> findings = new ArrayList<>();
    private boolean settled = true;

    /** @param mountProc false if the operator has asked for sandboxes without /proc */
    public Doctor(BoundedRun runs, BridgeProbe bridge, BwrapCandidates candidates, HostFacts facts, boolean mountProc) {
        this(runs, bridge, candidates, facts, mountProc, LIMIT);
    }

    Doctor(
            BoundedRun runs,
            BridgeProbe bridge,
            BwrapCandidates candidates,
            HostFacts facts,
            boolean mountProc,
            Duration limit) {
        this.runs = runs;
        this.bridge = bridge;
        this.candidates = candidates;
        this.facts = facts;
        this.mountProc = mountProc;
        this.limit = limit;
    }

    public HostCapabilities examine() {
        Wsl wsl = Wsl.of(facts.procVersion());
        BwrapFinder.Found found = wsl == Wsl.WSL1
                ? new BwrapFinder.Found(List.of(), List.of("not looked for under WSL1"), true)
                : new BwrapFinder(runs, limit).find(candidates);
        settled &= found.settled();
        wsl(wsl);
        bubblewrap(found, wsl);
        Optional<String> namespaces = found.programs().isEmpty()
                ? Optional.of(wsl == Wsl.WSL1 ? WSL1_REFUSED : noBubblewrap(found))
                : namespaces(found.programs().getFirst());
        boolean stands = namespaces.isEmpty();
        Optional<String> network = stands ? network(found.programs().getFirst()) : namespaces;
        boolean links = stands && links(found.programs().getFirst());
        boolean proc = stands && mountProc && proc(found.programs().getFirst());
        boolean seccomp = seccomp();
        OptionalInt landlock = landlock(stands);
        findings.add(PeerProbe.finding());
        findings.add(facts.cgroup());
        findings.add(facts.kernel());
        boolean standIn = candidates.option().isEmpty() || !found.programs().isEmpty();
        Optional<LinuxPath> signalReset = signalReset();
        return new HostCapabilities(
                found.programs(),
                namespaces,
                network,
                proc,
                links,
                seccomp,
                landlock,
                standIn,
                wsl,
                signalReset,
                findings,
                settled);
    }

    private void wsl(Wsl wsl) {
        switch (wsl) {
            case NONE -> findings.add(Finding.ok(Layer.WSL, "no", "This is not the Windows Subsystem for Linux."));
            case WSL2 -> findings.add(Finding.ok(Layer.WSL, "WSL2", "WSL2 has a real kernel; sandboxes work."));
            case WSL1 ->
                findings.add(new Finding(
                        Layer.WSL, Status.MISSING, "WSL1", WSL1_REFUSED, "Use WSL2 for sandboxed commands."));
        }
    }

    private void bubblewrap(BwrapFinder.Found found, Wsl wsl) {
        String others = found.rejected().isEmpty() ? "" : "; not used: " + String.join("; ", found.rejected());
        if (found.programs().isEmpty()) {
            String meaning = wsl == Wsl.WSL1 ? WSL1_REFUSED : sentence(noBubblewrap(found));
            String remedy = candidates.option().isPresent()
                    ? "Name a bubblewrap that works with --bwrap, or leave the option out."
                    : INSTALL;
            findings.add(new Finding(
                    Layer.BUBBLEWRAP, Status.MISSING, "none" + others, meaning, wsl == Wsl.WSL1 ? "" : remedy));
            return;
        }
        BwrapProgram program = found.programs().getFirst();
        String result = program.path() + " (" + program.version() + ")" + others;
        if (program.origin() == BwrapProgram.Origin.BUNDLED) {
            findings.add(new Finding(
                    Layer.BUBBLEWRAP,
                    Status.WARNING,
                    result,
                    NO_BWRAP + " The bundled one is used in the meantime.",
                    INSTALL));
        } else {
            findings.add(Finding.ok(Layer.BUBBLEWRAP, result, "Sandboxes are built by this program."));
        }
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".";
    }

    private String noBubblewrap(BwrapFinder.Found found) {
        String rejected = found.rejected().isEmpty() ? "" : " (not used: " + String.join("; ", found.rejected()) + ")";
        return candidates
                        .option()
                        .map(path -> "the bwrap " + path + " that --bwrap names cannot be used")
                        .orElse("no usable bwrap was found on the server's PATH, and none is bundled with it")
                + rejected;
    }

    /** Tries user, mount and pid namespaces together, as every sandbox needs them. Returns the failure; empty if they work. */
    private Optional<String> namespaces(BwrapProgram program) {
        Optional<String> user = attempt(program, "--unshare-user");
        Optional<String> pid = user.isPresent() ? user : attempt(program, "--unshare-user", "--unshare-pid");
        namespace(Layer.USER_NAMESPACE, user, "No sandbox with namespaces can be built here.");
        namespace(Layer.MOUNT_NAMESPACE, user, "No sandbox with namespaces can be built here.");
        namespace(Layer.PID_NAMESPACE, pid, "Sandboxed commands cannot be kept apart from other processes.");
        return pid;
    }

    private Optional<String> network(BwrapProgram program) {
        Optional<String> failure = attempt(program, "--unshare-user", "--unshare-net");
        namespace(Layer.NETWORK_NAMESPACE, failure, "The network cannot be isolated by a namespace.");
        if (failure.isEmpty()) {
            bridge(bridge.attempt(program, limit));
        }
        return failure;
    }

    private void bridge(Optional<String> failure) {
        findings.add(
                failure.isEmpty()
                        ? Finding.ok(
                                Layer.NETWORK_BRIDGE,
                                "works, entered with setns",
                                "Commands with a managed network reach their proxies over it.")
                        : new Finding(
                                Layer.NETWORK_BRIDGE,
                                Status.MISSING,
                                failure.get(),
                                "Commands with a managed network cannot reach their proxies and are refused.",
                                NEEDS_OF_BRIDGE));
    }

    private boolean links(BwrapProgram program) {
        Optional<String> failure = bridge.mountLink(program, limit);
        findings.add(
                failure.isEmpty()
                        ? Finding.ok(
                                Layer.LINK_MOUNTS,
                                "works",
                                "Commands cannot replace protected names that are symbolic links.")
                        : new Finding(
                                Layer.LINK_MOUNTS,
                                Status.WARNING,
                                failure.get(),
                                "A command can replace a protected name that is a symbolic link until it ends; then the"
                                        + " link is put right.",
                                NEEDS_OF_LINKS));
        return failure.isEmpty();
    }

    private boolean proc(BwrapProgram program) {
        Optional<String> failure = attempt(program, "--unshare-user", "--unshare-pid", "--proc", "/proc");
        if (failure.isEmpty()) {
            findings.add(Finding.ok(Layer.PROC_MOUNT, "works", "Each sandbox has a /proc of its own."));
        } else {
            findings.add(new Finding(
                    Layer.PROC_MOUNT,
                    Status.WARNING,
                    failure.get(),
                    "Sandboxes get an empty /proc, because it cannot be mounted here.",
                    "In a container run it with --security-opt systempaths=unconfined."));
        }
        return failure.isEmpty();
    }

    /**
     * Runs a program in a sandbox with the options. Returns bubblewrap's error message; empty if it works. An attempt that
     * fails while something is mounted or unmounted on the host is repeated.
     */
    private Optional<String> attempt(BwrapProgram program, String... options) {
        try (MountGeneration mounts = new MountGeneration()) {
            for (int left = SetupResult.Disturbed.ATTEMPTS; ; left--) {
                MountGeneration.Mark before = mounts.mark();
                Optional<String> failure = attemptOnce(program, options);
                if (failure.isEmpty() || left == 0 || !before.passed()) {
                    return failure;
                }
            }
        }
    }

    private Optional<String> attemptOnce(BwrapProgram program, String... options) {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--", "/bin/true"));
        return switch (run(program.launch(), arguments)) {
            case BoundedRun.Result.Ended ended when ended.ok() -> Optional.empty();
            case BoundedRun.Result.Ended(int code, String _, String err) ->
                Optional.of(err.isBlank() ? "exit code " + code : err.strip().replaceAll("\\R\\s*", " "));
            case BoundedRun.Result.TimedOut(Duration limit) ->
                Optional.of("probe timed out after " + limit.toMillis() + " ms");
            case BoundedRun.Result.NotStarted(String reason) -> Optional.of(reason);
        };
    }

    private BoundedRun.Result run(Launch program, List<String> arguments) {
        BoundedRun.Result result = runs.run(limit, program, arguments);
        settled &= result.settled();
        return result;
    }

    private void namespace(Layer layer, Optional<String> failure, String meaning) {
        findings.add(failure.map(reason -> new Finding(layer, Status.MISSING, reason, meaning, ALLOW_NAMESPACES))
                .orElseGet(() -> Finding.ok(layer, "works", "Commands can be isolated by it.")));
    }

    /** Returns env(1) if it has {@code --default-signal}: GNU coreutils 8.31 and newer have it, others do not. */
    private Optional<LinuxPath> signalReset() {
        boolean works =
                run(Launch.plain(ENV), List.of("--default-signal=INT", "true")) instanceof BoundedRun.Result.Ended ended
                        && ended.ok();
        return works ? Optional.of(LinuxPath.of(ENV)) : Optional.empty();
    }

    private boolean seccomp() {
        int errno = RestrictionCalls.filtersAvailable();
        findings.add(
                errno == 0
                        ? Finding.ok(Layer.SECCOMP, "works", "System calls can be filtered.")
                        : new Finding(
                                Layer.SECCOMP,
                                Status.MISSING,
                                Errno.text(errno),
                                "System calls cannot be filtered; commands with a restricted network are refused.",
                                "Use a kernel with CONFIG_SECCOMP_FILTER, and a container profile that allows seccomp(2)."));
        return errno == 0;
    }

    private OptionalInt landlock(boolean stands) {
        OptionalInt abi = RestrictionCalls.landlockAbi();
        findings.add(landlock(abi, stands));
        return abi;
    }

    private static Finding landlock(OptionalInt abi, boolean stands) {
        if (abi.isEmpty()) {
            return new Finding(
                    Layer.LANDLOCK,
                    Status.WARNING,
                    "not available",
                    "There is no fallback where namespaces are denied.",
                    "Boot a kernel of 5.13 or newer with landlock in its lsm= list.");
        }
        String version = "ABI " + abi.getAsInt();
        return stands
                ? Finding.ok(Layer.LANDLOCK, version, "It can stand in where namespaces are denied.")
                : new Finding(
                        Layer.LANDLOCK,
                        Status.WARNING,
                        version,
                        "Landlock stands in for namespaces, and every profile with a writable workspace is refused: Landlock"
                                + " cannot keep .git and its like read-only inside of it.",
                        ALLOW_NAMESPACES);
    }
}
