package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of single commands, with and without a sandbox around them. */
@Timeout(90)
class CommandLimitsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    @TempDir(factory = VarTmp.class)
    private Path state;

    private final SandboxScene scene = new SandboxScene();
    private ServerProcess server;
    private WireClient client;

    @BeforeEach
    void start() {
        serve();
    }

    private void serve(String... more) {
        List<String> options = Stream.concat(Stream.of("--state-dir", state.toString()), Stream.of(more))
                .toList();
        server = ServerProcess.listening(options.toArray(String[]::new));
        client = WireClient.connect(server.port());
        client.handshake();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        scene.close();
    }

    private Start limited(boolean sandboxed, String script, Object... limits) {
        Start start = sandboxed ? scene.shell(script) : Start.shell(script).with("cwd", "file://" + scene.workspace());
        return start.with("limits", Json.object(limits));
    }

    /** Directories of this server in the control groups. */
    private List<Path> groups() {
        String own;
        try (Stream<Path> inState = Files.list(state)) {
            own = inState.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("exec-server-"))
                    .findFirst()
                    .orElse("none");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return groups(own);
    }

    private static List<Path> groups(String name) {
        try (Stream<Path> all = Files.find(GROUPS, 8, (path, attributes) -> attributes.isDirectory())) {
            return all.filter(path -> path.toString().contains("/" + name)).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(GROUPS); // a group has gone while we looked: look again
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void numberOfProcessesIsBounded(boolean sandboxed) {
        RemoteProcess process = client.start(
                limited(sandboxed, "for i in 1 2 3 4 5 6 7 8; do sleep 1 & done; wait; echo end", "pids", 4));
        process.closed();

        assertThat(process.text()).contains("annot fork");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void memoryOfAllProcessesIsBounded(boolean sandboxed) {
        RemoteProcess process = client.start(limited(
                sandboxed, "exec perl -e '$x = \"a\" x (256 << 20); print length $x'", "memoryBytes", 64 << 20));

        assertThat(process.exited().exitCode()).isEqualTo(137);
        assertThat(process.exited().params().get("reason").asText()).isEqualTo("memory");
        assertThat(process.exited().params().at("/usage/peakMemoryBytes").asLong())
                .isBetween(32L << 20, 64L << 20);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void processorTimeFilesAndTheirSizeAreBounded(boolean sandboxed) {
        RemoteProcess time = client.start(limited(sandboxed, "while :; do :; done", "cpuSeconds", 1));
        assertThat(time.exited(PATIENCE).exitCode()).isEqualTo(152); // 128 + SIGXCPU

        RemoteProcess files = client.start(limited(sandboxed, "ulimit -n; ulimit -Hn", "openFiles", 40));
        files.closed();
        assertThat(files.text()).isEqualTo("40\n40\n");

        RemoteProcess size = client.start(
                limited(sandboxed, "trap '' XFSZ; dd if=/dev/zero of=big bs=1000 count=9 2>&1", "fileSizeBytes", 5000));
        size.closed();
        assertThat(size.text()).contains("File too large");
        assertThat(scene.workspace().resolve("big")).hasSize(5000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void emptyLimitsAskForTheAccounting(boolean sandboxed) {
        String script = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; perl -e '$x = \"a\" x (24 << 20)'";
        RemoteProcess process = client.start(limited(sandboxed, script));
        JsonNode usage = process.exited().params().get("usage");

        assertThat(usage.get("cpuMs").asLong()).isBetween(10L, 60_000L);
        assertThat(usage.get("peakMemoryBytes").asLong()).isBetween(24L << 20, 90L << 20);
        assertThat(usage.get("wallMs").asLong()).isBetween(10L, 60_000L);
        assertThat(client.start(Start.shell("true")).exited().params().has("usage"))
                .isFalse();
    }

    @Test
    void groupsGoWithTheCommandAndWithTheServer() {
        RemoteProcess process =
                client.start(limited(true, "echo ready; read -r line", "pids", 9, "memoryBytes", 64 << 20)
                        .stdin());
        process.awaitText("ready");
        assertThat(groups()).anyMatch(CommandLimitsIT::ofCommand);
        process.closeStdin();
        process.closed();
        assertThat(groups()).isNotEmpty().noneMatch(CommandLimitsIT::ofCommand);

        String name = groups().getFirst().getFileName().toString();
        server.stop();
        assertThat(groups(name)).isEmpty();
    }

    @Test
    void theGuardianRemovesTheGroupsOfAServerThatWasKilled() {
        client.start(limited(true, "echo ready; sleep 60", "pids", 9)).awaitText("ready");
        String name = groups().getFirst().getFileName().toString();
        server.killHard();

        await().atMost(PATIENCE).until(() -> groups(name).isEmpty());
    }

    private static boolean ofCommand(Path group) {
        return group.endsWith("p1");
    }

    @Test
    void aDaemonThatStaysKeepsItsGroupUntilTheServerEnds() {
        RemoteProcess process =
                client.start(limited(false, "setsid sleep 60 </dev/null >/dev/null 2>&1 & exit 0", "pids", 9));
        process.closed();
        String name = groups().getFirst().getFileName().toString();
        assertThat(groups(name)).anyMatch(CommandLimitsIT::ofCommand);

        server.stop();
        assertThat(groups(name)).isEmpty();
    }

    @Test
    void theGroupOfADaemonGoesWithItsLastProcess() {
        RemoteProcess process =
                client.start(limited(false, "setsid sleep 300 </dev/null >/dev/null 2>&1 & echo $!", "pids", 9));
        process.closed();
        long daemon = Long.parseLong(process.text().strip());
        assertThat(groups()).anyMatch(CommandLimitsIT::ofCommand);

        ProcessHandle.of(daemon).orElseThrow().destroyForcibly();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(groups()).noneMatch(CommandLimitsIT::ofCommand));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"pids\":0} | limits.pids must be between 1 and 4611686018427387903, not 0",
                "{\"openFiles\":3} | limits.openFiles must be between 32 and 4611686018427387903, not 3",
                "{\"memoryBytes\":1} | limits.memoryBytes must be between 4194304 and 4611686018427387903, not 1",
                "{\"cpuSeconds\":18446744073709551615} | limits.cpuSeconds must be between 1 and 4611686018427387903, not",
                "{\"disk\":1} | unknown variant `disk`"
            })
    void whatCannotBeEnforcedIsRefused(String limits, String why) {
        ObjectNode object = (ObjectNode) Json.parse(limits);
        Answer answer =
                client.sendStart(Start.shell("true").with("limits", object)).started();

        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage()).contains(why);
    }

    @Test
    void argumentsAndExitCodeAreThoseOfTheCommand() {
        RemoteProcess process = client.start(Start.of("sh", "-c", "echo \"[$1][$2]\"; exit 7", "x", "a b", "")
                .with("limits", Json.object("openFiles", 64)));
        process.closed();

        assertThat(process.text()).isEqualTo("[a b][]\n");
        assertThat(process.exited().exitCode()).isEqualTo(7);
    }

    @Test
    void otherUsersCannotMakeGroupsAndAreTold() {
        try (DistributionCopy copy = DistributionCopy.create("limits-");
                ServerProcess other = copy.start(() -> ServerProcess.listening(
                        List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"), java.util.Map.of()));
                WireClient asNobody = WireClient.connect(other.port())) {
            asNobody.handshake();
            Answer answer = asNobody.sendStart(Start.shell("true").with("limits", Json.object("pids", 5)))
                    .started();

            assertThat(answer.errorMessage())
                    .startsWith("this server may make no control groups with the controller `pids`; delegate");
            assertThat(asNobody.start(Start.shell("ulimit -n").with("limits", Json.object("openFiles", 50)))
                            .exited()
                            .exitCode())
                    .isZero();
        }
    }
}
