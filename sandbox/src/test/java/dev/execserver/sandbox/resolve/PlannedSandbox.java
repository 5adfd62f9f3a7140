package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.bwrap.BwrapCandidates;
import dev.execserver.sandbox.bwrap.BwrapLauncher;
import dev.execserver.sandbox.bwrap.Placeholders;
import dev.execserver.sandbox.bwrap.ServerFolder;
import dev.execserver.sandbox.bwrap.SharedLinks;
import dev.execserver.sandbox.io.Drain;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.MountGeneration;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.pin.ProgramPins;
import dev.execserver.sandbox.pin.SystemPlaces;
import dev.execserver.sandbox.plan.LaunchPlan;
import dev.execserver.sandbox.plan.LaunchPlanner;
import dev.execserver.sandbox.plan.PlanOptions;
import dev.execserver.sandbox.plan.SandboxLauncher;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.probe.BridgeProbe;
import dev.execserver.sandbox.probe.Doctor;
import dev.execserver.sandbox.probe.HostFacts;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.sandbox.tree.BoundedRun;
import dev.execserver.sandbox.tree.ProcessTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Probes in the sandbox that the planner chooses and the launcher builds. */
final class PlannedSandbox implements Prober, AutoCloseable {
    static final String PROBE = "probe-from-inside";
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int MAX_OUTPUT = 1 << 20;

    private final Tree state = new Tree();
    private final Poller poller = new Poller();
    private final MountGeneration mounts = new MountGeneration();
    private final Spawner spawner = new Spawner(poller);
    private final ProcessMarks marks = ProcessMarks.create();
    private final ProcessTree processes = new ProcessTree();
    private final Ledger ledger = Ledger.create();
    private final ServerFolder own;
    private final Placeholders placeholders;
    private final ProgramPins pins;
    private final LaunchPlanner planner;
    private final SandboxLauncher launcher;

    PlannedSandbox() {
        Path directory = state.directory("server").root().resolve("server");
        placeholders = new Placeholders(ledger);
        own = ServerFolder.make(LinuxPath.of(directory.toString()), "own-", ledger);
        launcher = new SandboxLauncher(
                spawner, new BwrapLauncher(spawner, poller, ledger, placeholders, own, SharedLinks.NONE), mounts);
        BwrapCandidates.Places places = new BwrapCandidates.Places(
                Optional.empty(), "/usr/bin:/bin", LinuxPath.of("/nowhere"), Optional.empty());
        BoundedRun runs = new BoundedRun(spawner, marks, processes);
        pins = new ProgramPins(runs);
        BwrapCandidates candidates = new BwrapCandidates(places, pins, new SystemPlaces());
        BridgeProbe bridge = new BridgeProbe(spawner, poller, marks, processes);
        planner = new LaunchPlanner(
                new Doctor(runs, bridge, candidates, HostFacts.ofThisMachine(), true).examine(), PlanOptions.DEFAULT);
    }

    @Override
    public Map<String, Access> probe(ResolvedPolicy policy, Tree tree, List<String> files, List<String> directories) {
        StringBuilder script = new StringBuilder("exec 2>/dev/null\n");
        String root = tree.root().toString();
        for (String file : files) {
            String path = root + "/" + file;
            script.append("[ \"$(cat '%s')\" = '%s' ] && echo 'R %s'\n".formatted(path, file, file));
            script.append("( printf + >> '%s' )\n".formatted(path));
        }
        for (String directory : directories) {
            script.append("( : > '%s/%s/%s' )\n".formatted(root, directory, PROBE));
        }
        String said = run(policy, script.append("echo END\n").toString());
        Map<String, Access> found = new TreeMap<>();
        for (String file : files) {
            boolean readable = said.contains("R " + file + "\n");
            boolean written = content(tree, file).endsWith("+");
            found.put(file, access(readable, written));
        }
        for (String directory : directories) {
            boolean written = Files.exists(tree.root().resolve(directory).resolve(PROBE));
            found.put(directory, written ? Access.WRITE : Access.DENY);
        }
        return found;
    }

    private static Access access(boolean readable, boolean written) {
        if (written && !readable) {
            throw new AssertionError("written but not read");
        }
        return written ? Access.WRITE : readable ? Access.READ : Access.DENY;
    }

    private static String content(Tree tree, String file) {
        try {
            return Files.readString(tree.root().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String run(ResolvedPolicy policy, String script) {
        LaunchPlan plan = planner.plan(policy, LinuxPath.ROOT, false);
        SpawnRequest command = new SpawnRequest(
                "/bin/sh",
                List.of("/bin/sh", "-c", script),
                List.of("PATH=/usr/bin:/bin"),
                "/",
                new Stdio.Pipes(false),
                marks.next());
        try (SandboxRun run = launcher.start(plan, command)) {
            try {
                if (!(run.awaitSetup(() -> false) instanceof SetupResult.Yes)) {
                    throw new AssertionError("the sandbox does not stand: "
                            + Drain.untilEnd(run.child().stderr().orElseThrow(), MAX_OUTPUT, LIMIT));
                }
                String said = Drain.untilEnd(run.child().stdout(), MAX_OUTPUT, LIMIT);
                if (!said.endsWith("END\n") || run.child().awaitExit(LIMIT).isEmpty()) {
                    throw new AssertionError("the probes did not end: " + said);
                }
                return said;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                run.child().closeStreams();
            }
        }
    }

    @Override
    public void close() {
        placeholders.close();
        own.close();
        ledger.close();
        processes.close();
        mounts.close();
        pins.close();
        mounts.close();
        spawner.close();
        poller.close();
        state.close();
    }
}
