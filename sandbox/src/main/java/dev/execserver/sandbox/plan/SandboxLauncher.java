package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.bwrap.BwrapLauncher;
import dev.execserver.sandbox.bwrap.BwrapRun;
import dev.execserver.sandbox.landlock.LandlockRestriction;
import dev.execserver.sandbox.linux.MountGeneration;
import dev.execserver.sandbox.linux.RestrictionCalls;
import dev.execserver.sandbox.resolve.RuleTarget;
import dev.execserver.sandbox.seccomp.FilterMode;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.seccomp.SeccompFilter;
import dev.execserver.sandbox.spawn.Restriction;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.util.List;
import java.util.Optional;

/** Starts commands according to their plans. File workers call it and wait during the start. Stateless. */
public final class SandboxLauncher {
    private final Spawner spawner;
    private final BwrapLauncher bubblewrap;
    private final MountGeneration mounts;

    /**
     * Makes a launcher.
     *
     * @param mounts detects mounts and unmounts during the construction of a sandbox
     */
    public SandboxLauncher(Spawner spawner, BwrapLauncher bubblewrap, MountGeneration mounts) {
        this.spawner = spawner;
        this.bubblewrap = bubblewrap;
        this.mounts = mounts;
    }

    /**
     * Starts the command.
     *
     * @throws dev.execserver.sandbox.linux.LinuxException as {@link Spawner#spawn}
     * @throws dev.execserver.sandbox.paths.PolicyRefusedException if the backend turns out to be unable to enforce the
     *     policy
     * @throws dev.execserver.sandbox.outcome.FilesChangedException if the policy must be resolved again
     */
    public SandboxRun start(LaunchPlan plan, SpawnRequest command) {
        return switch (plan) {
            case LaunchPlan.Bubblewrap(var details) -> {
                MountGeneration.Mark before = mounts.mark();
                BwrapRun run = bubblewrap.start(details, command);
                yield new SandboxRun(run.child(), run, before, UnexecutedProgram.of(command, details.policy()));
            }
            case LaunchPlan.LandlockSeccomp(LandlockPlan details) -> landlock(details, command);
            case LaunchPlan.FilterOnly(FilterMode filter) -> plain(command.restrictedBy(onlyFilter(filter)), true);
            case LaunchPlan.Direct() -> plain(command, false);
        };
    }

    /** Starts the command on the standard streams of this process, as {@link #start} does. */
    public AttachedSandbox startAttached(LaunchPlan plan, SpawnRequest command) {
        return switch (plan) {
            case LaunchPlan.Bubblewrap(var details) -> {
                MountGeneration.Mark before = mounts.mark();
                BwrapLauncher.AttachedRun run = bubblewrap.startAttached(details, command);
                yield new AttachedSandbox(
                        run.child(),
                        Optional.of(run.run()),
                        command.stdio().onTerminal(),
                        Optional.of(before),
                        UnexecutedProgram.of(command, details.policy()));
            }
            case LaunchPlan.LandlockSeccomp(LandlockPlan details) -> {
                try (LandlockRestriction restriction = restriction(details, command)) {
                    yield attached(command.restrictedBy(restriction));
                }
            }
            case LaunchPlan.FilterOnly(FilterMode filter) -> attached(command.restrictedBy(onlyFilter(filter)));
            case LaunchPlan.Direct() -> attached(command);
        };
    }

    private AttachedSandbox attached(SpawnRequest command) {
        return new AttachedSandbox(
                spawner.spawnAttached(command),
                Optional.empty(),
                command.stdio().onTerminal(),
                Optional.empty(),
                () -> UnexecutedProgram.NOT_FOUND);
    }

    private SandboxRun landlock(LandlockPlan plan, SpawnRequest command) {
        try (LandlockRestriction restriction = restriction(plan, command)) {
            return plain(command.restrictedBy(restriction), true);
        }
    }

    private static LandlockRestriction restriction(LandlockPlan plan, SpawnRequest command) {
        Optional<String> terminal = command.stdio() instanceof Stdio.Terminal given
                ? Optional.of(given.pair().slavePath())
                : Optional.empty();
        List<LandlockRestriction.Place> writable = plan.writable().stream()
                .map(rule -> new LandlockRestriction.Place(
                        rule.path().bytes(), rule.found() instanceof RuleTarget.Directory))
                .toList();
        return new LandlockRestriction(plan.abi(), writable, plan.filter(), machine(), terminal);
    }

    private static Restriction onlyFilter(FilterMode mode) {
        byte[] filter = SeccompFilter.assemble(mode, machine());
        return () -> {
            RestrictionCalls.noNewPrivileges();
            RestrictionCalls.installFilter(filter);
        };
    }

    private static Machine machine() {
        return Machine.current()
                .orElseThrow(() -> new SandboxRefusedException("no filters are known for this machine"));
    }

    private SandboxRun plain(SpawnRequest command, boolean confined) {
        return new SandboxRun(spawner.spawn(command), confined);
    }
}
