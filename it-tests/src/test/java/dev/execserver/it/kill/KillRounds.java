package dev.execserver.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * SIGKILL at random moments while two servers of one user have commands of all kinds at work in one workspace, and the user works
 * there as well. Afterwards nothing is left and nothing of the user is lost. {@code -Dkill.rounds=300 -Dkill.seed=N} has it done
 * longer, and again.
 */
@Timeout(7200)
abstract class KillRounds {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = Integer.getInteger("kill.rounds", 10);
    private static final long SEED = Long.getLong("kill.seed", System.nanoTime());
    private static final int LOADS = 2;
    private static final int LATEST_MS = 700;

    private final Random random = new Random(SEED);
    private final Map<Victim, Integer> victims = new EnumMap<>(Victim.class);
    private final Map<String, Integer> refusals = new TreeMap<>();
    private DistributionCopy copy;
    private Path base;
    private Node one;
    private Node two;
    private int done;

    enum Victim {
        SERVER,
        BOTH_SERVERS,
        /** The guardian, and its server when it has another one, or a moment before. */
        GUARDIAN,
        SERVER_AND_GUARDIAN,
        BUBBLEWRAP,
        /** The first process inside of a sandbox. */
        INSIDE
    }

    /** Before each server. */
    abstract List<String> prefix();

    abstract int user();

    @BeforeEach
    void start() throws IOException {
        System.out.println("kill.seed=" + SEED);
        copy = DistributionCopy.create("kill-");
        base = Files.setPosixFilePermissions(copy.folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        one = new Node(copy, prefix(), folder("state-1"));
        two = new Node(copy, prefix(), folder("state-2"));
    }

    private Path folder(String name) throws IOException {
        Path folder = Files.createDirectory(base.resolve(name));
        Files.setAttribute(folder, "unix:uid", user(), LinkOption.NOFOLLOW_LINKS);
        return folder;
    }

    @AfterEach
    void stop() {
        one.server().close();
        two.server().close();
        System.out.println("killed: " + victims + ", calls: " + done + ", refused: " + refusals);
        copy.close();
    }

    @Test
    void nothingIsLeftAndNothingIsLost() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            long began = System.nanoTime();
            Victim victim = Victim.values()[random.nextInt(Victim.values().length)];
            String mark = "kill-" + UUID.randomUUID();
            Workspace workspace = new Workspace(base.resolve("ws-" + i), random, user(), prefix());
            try {
                round(victim, workspace, mark);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "round %d (%s), seed %d; servers said: %s %s"
                                .formatted(
                                        i,
                                        victim,
                                        SEED,
                                        one.server().stderr(),
                                        two.server().stderr()),
                        e);
            }
            victims.merge(victim, 1, Integer::sum);
            System.out.printf("round %d %s %d ms%n", i, victim, (System.nanoTime() - began) / 1_000_000);
        }
    }

    private void round(Victim victim, Workspace workspace, String mark) throws Exception {
        List<WireClient> clients = List.of(one.connect(), two.connect());
        List<Load> loads = new ArrayList<>();
        try {
            if (random.nextBoolean()) {
                hold(clients.get(random.nextInt(2)), workspace, mark);
            }
            for (int i = 0; i < LOADS; i++) {
                for (WireClient client : clients) {
                    loads.add(new Load(client, workspace, new Random(random.nextLong()), mark));
                }
            }
            pause(LATEST_MS);
            if (random.nextBoolean()) {
                workspace.userWorks(random);
            }
            boolean guarded = kill(victim);
            if (random.nextBoolean()) {
                workspace.userWorks(random);
            }
            for (Load load : loads) {
                load.stop();
                done += load.done();
                load.refusals().forEach((words, count) -> refusals.merge(words, count, Integer::sum));
            }
            for (int i = 0; i < 2; i++) {
                if (List.of(one, two).get(i).alive()) {
                    clients.get(i).call("session/end").result();
                }
            }
            restart();
            if (!guarded) {
                workspace.marksMayStay();
                cleanUpUnguarded(workspace, mark);
            }
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(workspace.faults()).isEmpty();
                assertThat(faults(mark)).isEmpty();
            });
            serves(one, workspace);
            serves(two, workspace);
        } finally {
            clients.forEach(WireClient::close);
        }
    }

    /** A command that holds all that is missing, until the end of its session; the user fills one of these things. */
    private void hold(WireClient client, Workspace workspace, String mark) throws IOException {
        client.start(inside(workspace, "echo ready; exec sleep 300").mark(mark)).awaitText("ready");
        if (random.nextBoolean()) {
            workspace.userFillsDenied();
        }
    }

    private static Start inside(Workspace workspace, String script) {
        return Start.shell(script)
                .with("cwd", workspace.folder().toUri().toString())
                .with("sandbox", workspace.policy());
    }

    private void pause(int latestMs) {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(latestMs)).toNanos());
    }

    /** False when nobody was there to clean up after a server. */
    private boolean kill(Victim victim) {
        Node node = random.nextBoolean() ? one : two;
        switch (victim) {
            case SERVER -> node.server().killHard();
            case BOTH_SERVERS -> {
                kill(node.pid());
                kill((node == one ? two : one).pid());
                one.server().exitStatus();
                two.server().exitStatus();
            }
            case GUARDIAN -> {
                long old = node.guardian().orElseThrow();
                kill(old);
                await("another guardian")
                        .atMost(PATIENCE)
                        .until(() -> node.guardian().isPresent());
                node.server().awaitStderr("starting another");
                node.server().killHard();
            }
            case SERVER_AND_GUARDIAN -> {
                long guardian = node.guardian().orElseThrow();
                if (random.nextBoolean()) {
                    kill(guardian);
                    node.server().killHard();
                } else {
                    node.server().killHard();
                    pause(50);
                    kill(guardian);
                }
                return false;
            }
            case BUBBLEWRAP -> node.bubblewraps().stream().limit(2).forEach(KillRounds::kill);
            case INSIDE ->
                node.bubblewraps().stream()
                        .flatMap(pid -> ProcFs.children(pid).stream())
                        .limit(2)
                        .forEach(child -> kill(child.pid()));
        }
        return true;
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private void restart() {
        for (Node node : List.of(one, two)) {
            if (!node.alive()) {
                node.start();
            }
        }
    }

    /**
     * What SECURITY.md says: unsandboxed programs go on, groups stay, and so does the mark of files that the user has filled;
     * placeholders go with the next command there.
     */
    private void cleanUpUnguarded(Workspace workspace, String mark) throws IOException {
        ProcFs.marked(mark).forEach(KillRounds::kill);
        serves(one, workspace);
        await().atMost(PATIENCE)
                .until(() -> Groups.of(dead()).reversed().stream().allMatch(Groups::remove));
    }

    private static void serves(Node node, Workspace workspace) {
        try (WireClient client = node.connect()) {
            RemoteProcess process = client.start(inside(workspace, "echo fine"));
            process.closed(PATIENCE);
            assertThat(process.text()).isEqualTo("fine\n");
            client.call("session/end").result();
        }
    }

    /** Names of the folders of the servers that run. */
    private List<String> living() {
        List<String> names = new ArrayList<>(one.entries());
        names.addAll(two.entries());
        return names;
    }

    /** Names of those of servers that do not. */
    private Set<String> dead() {
        Set<String> names = new HashSet<>(one.known());
        names.addAll(two.known());
        living().forEach(names::remove);
        return names;
    }

    /** What is left outside of the workspace. */
    private List<String> faults(String mark) throws IOException {
        List<String> faults = new ArrayList<>();
        ProcFs.marked(mark).forEach(pid -> faults.add("process " + pid + " " + ProcFs.commandLine(pid)));
        ProcFs.marked(base.toString()).stream()
                .filter(pid -> pid != one.pid() && pid != two.pid())
                .forEach(pid -> faults.add("process of a server " + pid + " " + ProcFs.commandLine(pid)));
        if (one.entries().size() != 1 || two.entries().size() != 1) {
            faults.add("state folders: " + one.entries() + two.entries());
        }
        if (Files.readString(Path.of("/proc/self/mountinfo")).contains(base.toString())) {
            faults.add("a mount");
        }
        if (Files.exists(base.resolve("outside"))) {
            faults.add("something outside of the workspace");
        }
        Groups.of(dead()).forEach(group -> faults.add("control group " + group));
        Groups.of(living()).stream()
                .filter(group -> !living().contains(group.getFileName().toString()))
                .forEach(group -> faults.add("control group " + group));
        return faults;
    }
}
