package dev.execserver.sandbox.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.sandbox.bwrap.BwrapCandidates;
import dev.execserver.sandbox.bwrap.BwrapLauncher;
import dev.execserver.sandbox.bwrap.Placeholders;
import dev.execserver.sandbox.bwrap.ServerFolder;
import dev.execserver.sandbox.bwrap.SharedLinks;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Drain;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.MountGeneration;
import dev.execserver.sandbox.network.InnerSockets;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.pin.ProgramPins;
import dev.execserver.sandbox.pin.SystemPlaces;
import dev.execserver.sandbox.probe.BridgeProbe;
import dev.execserver.sandbox.probe.Doctor;
import dev.execserver.sandbox.probe.HostFacts;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.sandbox.tree.BoundedRun;
import dev.execserver.sandbox.tree.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of sandboxes with listening sockets inside, as the launcher builds them on this machine. */
@Timeout(60)
class ProxyListenersTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ResolvedPolicy READ_ONLY = new ResolvedPolicy(
            ResolvedPolicy.Kind.RESTRICTED,
            NetworkPolicy.ENABLED,
            true,
            false,
            false,
            List.of(new Rule(
                    LinuxPath.ROOT, Access.READ, Rule.Origin.ENTRY, new RuleTarget.Directory(new FileId(1, 1), false))),
            List.of(),
            List.of(),
            List.of());

    @TempDir
    private Path directory;

    private final Poller poller = new Poller();
    private final MountGeneration mounts = new MountGeneration();
    private final Spawner spawner = new Spawner(poller);
    private final ProcessMarks marks = ProcessMarks.create();
    private final ProcessTree processes = new ProcessTree();
    private final Ledger ledger = Ledger.create();
    private ServerFolder own;
    private Placeholders placeholders;
    private ProgramPins pins;
    private LaunchPlanner planner;
    private SandboxLauncher launcher;

    @BeforeEach
    void open() {
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

    @AfterEach
    void close() {
        placeholders.close();
        own.close();
        ledger.close();
        processes.close();
        mounts.close();
        pins.close();
        mounts.close();
        spawner.close();
        poller.close();
    }

    private SandboxRun start(String script, List<Integer> doors) {
        LaunchPlan plan = planner.plan(
                READ_ONLY,
                LinuxPath.ROOT,
                false,
                new ProxiedNetwork(new InnerSockets(doors), ProxiedNetwork.UnixUse.PAIRS));
        return launcher.start(
                plan,
                new SpawnRequest(
                        "/bin/sh",
                        List.of("/bin/sh", "-c", script),
                        List.of("PATH=/usr/bin:/bin"),
                        "/",
                        new Stdio.Pipes(false),
                        marks.next()));
    }

    private void end(SandboxRun run) {
        boolean _ = processes.kill(run.child());
        run.child().awaitExit();
        run.child().closeStreams();
        run.close();
    }

    @Test
    void theSocketsListenBeforeTheCommandDoesAnything() {
        SandboxRun run = start("cat /proc/net/tcp", List.of(61001, 61002));
        assertThat(run.awaitSetup(() -> false)).isInstanceOf(SetupResult.Yes.class);
        assertThat(Drain.untilEnd(run.child().stdout(), 1 << 16, LIMIT))
                .contains("0100007F:EE49 00000000:0000 0A")
                .contains("0100007F:EE4A 00000000:0000 0A");
        List<AsyncFd> doors = run.takeProxyListeners();
        assertThat(doors).hasSize(2);
        assertThat(run.takeProxyListeners()).as("taken once").isEmpty();
        doors.forEach(AsyncFd::close);
        end(run);
    }

    @Test
    void withoutTheSocketsTheCommandDoesNotRunAndNothingStaysOpen() throws IOException {
        end(start("true", List.of(61001))); // opens descriptors that are opened only once
        long before = openFiles();
        SandboxRun run = start("echo ran", List.of(61001, 61001));
        assertThat(run.awaitSetup(() -> false))
                .isInstanceOfSatisfying(
                        SetupResult.Failed.class,
                        failed -> assertThat(failed.message())
                                .contains("so it was not started")
                                .contains("Address already in use"));
        boolean _ = processes.kill(run.child());
        run.child().awaitExit();
        assertThat(Drain.untilEnd(run.child().stdout(), 1 << 16, LIMIT)).isEmpty();
        end(run);
        await().until(() -> openFiles() <= before);
    }

    @Test
    void aSandboxThatDiesWhileTheSocketsAreMadeIsAFailure() {
        SandboxRun run = start("echo ran", List.of(61001));
        boolean _ = processes.kill(run.child());
        run.child().awaitExit();
        assertThat(run.awaitSetup(() -> false)).isInstanceOf(SetupResult.Failed.class);
        assertThat(run.takeProxyListeners().size()).isLessThanOrEqualTo(1);
        end(run);
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
