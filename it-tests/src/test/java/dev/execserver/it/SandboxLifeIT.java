package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sandboxed process leaves behind, how signals reach it, what its start answers. */
@Timeout(60)
class SandboxLifeIT {
    /** The name that the first process inside was started by. */
    private static final String FIRST_PROCESS = "tr \'\\0\' \'\\n\' </proc/1/cmdline | head -n1";

    @TempDir
    private Path workspace;

    @TempDir(factory = VarTmp.class)
    private Path state;

    private ServerProcess server;
    private WireClient client;

    @BeforeEach
    void connect() {
        server = ServerProcess.listening("--state-dir", state.toString());
        client = WireClient.connect(server.port());
        client.handshake();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private Start sandboxed(String script) {
        return confined(Start.shell(script));
    }

    private Start confined(Start start) {
        String entry = "{\"path\":{\"type\":\"special\",\"value\":{\"kind\":\"%s\"}},\"access\":\"%s\"}";
        String profile =
                "{\"type\":\"managed\",\"network\":\"restricted\",\"file_system\":{\"type\":\"restricted\",\"entries\":["
                        + entry.formatted("root", "read") + "," + entry.formatted("project_roots", "write") + "]}}";
        String uri = "file://" + workspace;
        return start.with("cwd", uri)
                .with(
                        "sandbox",
                        Json.object(
                                "permissions",
                                Json.parse(profile),
                                "cwd",
                                uri,
                                "workspaceRoots",
                                List.of(uri),
                                "windowsSandboxLevel",
                                "disabled"));
    }

    private List<String> inWorkspace() {
        try (Stream<Path> files = Files.list(workspace)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void answerTellsWhatConfinesTheProcess() {
        RemoteProcess process = client.start(sandboxed("exit 3"));

        assertThat(process.started().result().get("sandboxType").asText()).isEqualTo("linuxSeccomp");
        assertThat(process.started().result().get("sandboxBackend").asText()).isEqualTo("bubblewrap");
        assertThat(process.exited().exitCode()).isEqualTo(3);
        assertThat(process.exited().params().get("sandboxDenied").asBoolean()).isFalse();
    }

    @Test
    void deniedWriteIsTold() {
        RemoteProcess process = client.start(sandboxed("echo x > /etc/denied"));

        assertThat(process.exited().params().get("sandboxDenied").asBoolean()).isTrue();
        process.closed();
        assertThat(process.read().get("sandboxDenied").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/proc", "/proc/self", "/sys", "/dev", "/etc/passwd", "/nonexistent", "relative", ""})
    void anOddTmpdirKeepsNothingFromStarting(String tmpdir) {
        Start start = Start.shell(FIRST_PROCESS + "; [ \"$TMPDIR\" = '" + tmpdir + "' ] && echo kept")
                .with("cwd", "file://" + workspace)
                .env("TMPDIR", tmpdir)
                .with(
                        "sandbox",
                        Policies.of(
                                workspace,
                                Policies.entry("root", "read"),
                                Policies.entry("project_roots", "write"),
                                Policies.entry("tmpdir", "write")));
        RemoteProcess process = client.start(start);
        process.closed();

        assertThat(process.text()).isEqualTo("bwrap\nkept\n");
        assertThat(inWorkspace()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "write"})
    void processesOfTheHostAreNeverShownWhateverAnEntrySays(String access) {
        Path ofServer = Path.of("/proc/" + server.pid());
        Start start = Start.shell(FIRST_PROCESS + "; ls " + ofServer + " 2>&1")
                .with("cwd", "file://" + workspace)
                .with(
                        "sandbox",
                        Policies.of(
                                workspace,
                                Policies.entry("minimal", "read"),
                                Policies.entry("project_roots", "write"),
                                Policies.entry(Path.of("/proc/1"), access),
                                Policies.entry(ofServer, access)));
        RemoteProcess process = client.start(start);
        process.closed();

        assertThat(process.text()).startsWith("bwrap\n").contains("No such file or directory");
    }

    @Test
    @DisplayName("B10: a missing program is an error of the start and never a denial")
    void missingProgram() {
        Answer answer = client.sendStart(confined(Start.of("/nonexistent/x"))).started();

        assertThat(answer.errorCode()).isEqualTo(-32603);
        assertThat(answer.errorMessage()).isEqualTo("program `/nonexistent/x`: No such file or directory (os error 2)");
    }

    @Test
    @DisplayName(
            "B10: a script whose interpreter cannot run is refused with the same words in a sandbox and without one")
    void interpreterThatCannotRun() throws IOException {
        Path missing = Files.writeString(workspace.resolve("missing"), "#!/no/such/interpreter\n");
        Path forbidden = Files.writeString(workspace.resolve("forbidden"), "#! /etc/passwd -x\n");
        for (Path script : List.of(missing, forbidden)) {
            assertThat(script.toFile().setExecutable(true)).isTrue();
            Answer inside =
                    client.sendStart(confined(Start.of(script.toString()))).started();
            Answer outside = client.sendStart(Start.of(script.toString())).started();

            assertThat(inside.errorCode()).isEqualTo(-32603);
            assertThat(inside.errorMessage())
                    .isEqualTo(outside.errorMessage())
                    .startsWith(script.equals(missing) ? "interpreter of program `" : "program `");
        }
    }

    @Test
    @DisplayName(
            "B35: nothing new lies in the workspace after the exit, after terminate, and after kill -9 of the server")
    void nothingIsLeftBehind() {
        client.start(sandboxed("true")).closed();
        assertThat(inWorkspace()).isEmpty();

        RemoteProcess terminated = client.start(sandboxed("echo ready; sleep 60"));
        terminated.awaitText("ready");
        assertThat(inWorkspace()).contains(".git");
        assertThat(terminated.terminate()).isTrue();
        terminated.closed();
        assertThat(inWorkspace()).isEmpty();

        client.start(sandboxed("echo ready; sleep 60")).awaitText("ready");
        server.killHard();
        await().atMost(Duration.ofSeconds(10)).until(() -> inWorkspace().isEmpty());
    }

    @Test
    @DisplayName("B35: what server and guardian could not take back goes with the next command in the same place")
    void theNextCommandThereCleansUp() {
        client.close();
        server.close();
        server = ServerProcess.listening("--state-dir", state.toString(), "--guardian", "off");
        client = WireClient.connect(server.port());
        client.handshake();
        client.start(sandboxed("echo ready; sleep 60")).awaitText("ready");
        server.killHard();
        assertThat(inWorkspace()).contains(".git", ".codex");

        server = ServerProcess.listening("--state-dir", state.toString());
        client = WireClient.connect(server.port());
        client.handshake();
        assertThat(inWorkspace()).contains(".git", ".codex");
        client.start(sandboxed("true")).closed();
        await().atMost(Duration.ofSeconds(10)).until(() -> inWorkspace().isEmpty());
    }

    @Test
    void placeholdersStayUntilTheLastCommandHasEnded() {
        RemoteProcess first = client.start(sandboxed("echo ready; read -r line").stdin());
        first.awaitText("ready");
        RemoteProcess second = client.start(sandboxed("mkdir .git; echo rc=$?"));
        second.closed();
        assertThat(second.text()).contains("File exists").contains("rc=1");
        assertThat(inWorkspace()).contains(".git");

        first.closeStdin();
        first.closed();
        assertThat(inWorkspace()).isEmpty();
    }

    @Test
    @DisplayName("B40: TERM reaches the handler of the command inside, and its exit code is kept")
    void termReachesTheCommand() {
        RemoteProcess process =
                client.start(sandboxed("trap 'echo got; exit 9' TERM; echo ready; while :; do sleep 0.05; done"));
        process.awaitText("ready");
        process.signal("TERM");

        assertThat(process.exited().exitCode()).isEqualTo(9);
        process.closed();
        assertThat(process.text()).contains("got");
    }

    @Test
    @DisplayName("B40: terminate with a grace lets the command say its last words")
    void graceIsTheCommandsOwn() {
        RemoteProcess process =
                client.start(sandboxed("trap 'echo bye; exit 4' TERM; echo ready; while :; do sleep 0.05; done"));
        process.awaitText("ready");
        process.send("process/terminate", "graceMs", 5_000).result();

        assertThat(process.exited().exitCode()).isEqualTo(4);
    }

    @Test
    void interruptOnATerminalReachesTheCommand() {
        RemoteProcess process =
                client.start(sandboxed("trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.05; done")
                        .tty());
        process.awaitText("ready");
        process.sendWrite("\u0003".getBytes(StandardCharsets.UTF_8)).result();

        process.awaitText("caught");
        assertThat(process.exited().exitCode()).isEqualTo(5);
    }

    @Test
    void environmentOfTheRequestDoesNotReachBubblewrap() throws IOException {
        RemoteProcess process =
                client.start(sandboxed("env").env("LD_PRELOAD", "/no/such.so").env("A", "b=c"));
        process.closed();

        assertThat(process.text())
                .contains("LD_PRELOAD=/no/such.so")
                .contains("A=b=c")
                .contains("PWD=" + workspace);
        assertThat(process.text().lines().filter(line -> line.contains("cannot be preloaded")))
                .as("only the shell and env complain, not bubblewrap")
                .hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void statusSaysWhatTheMachineHas() {
        Answer answer = client.call("sandbox/status");

        assertThat(answer.result().get("bubblewrap").asBoolean()).isTrue();
        assertThat(answer.result().get("findings")).hasSizeGreaterThan(8);
    }

    @Test
    void runtimeDirectoryOfTheServerIsHidden() {
        RemoteProcess process = client.start(sandboxed("ls " + state + "/exec-server-*"));
        process.closed();

        assertThat(process.exited().exitCode()).isNotZero();
        assertThat(process.text()).contains("Permission denied");
    }
}
