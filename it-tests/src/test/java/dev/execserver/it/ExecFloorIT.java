package dev.execserver.it;

import static dev.execserver.it.support.ExecScene.policy;
import static dev.execserver.it.support.ExecScene.rule;
import static dev.execserver.it.support.ExecScene.stderr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that leaves its sandbox runs in the operator's floor. */
@Timeout(120)
class ExecFloorIT {
    private static final SandboxScene FLOOR = new SandboxScene();
    private static final Path WRITABLE = FLOOR.workspace();
    private static final Path SECRET = FLOOR.base().resolve("secret");

    private static ServerProcess server;

    private ExecScene execs;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(SECRET, "secret");
        Path profile =
                Files.writeString(FLOOR.base().resolve("floor.json"), """
                {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
                 {"path":{"type":"special","value":{"kind":"root"}},"access":"write"},
                 {"path":{"type":"path","path":"%s"},"access":"read"},
                 {"path":{"type":"path","path":"%s"},"access":"write"},
                 {"path":{"type":"path","path":"%s"},"access":"deny"}]}}
                """.formatted(FLOOR.base(), WRITABLE, SECRET));
        server = ServerProcess.listening("--sandbox-floor", profile.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
        FLOOR.close();
    }

    @BeforeEach
    void connect() {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        execs = new ExecScene(client);
    }

    @AfterEach
    void leave() {
        execs.client().close();
        execs.close();
    }

    private static ObjectNode escalating(String path) {
        return policy(rule("allow", path)).put("allowed", "escalate");
    }

    /** Runs a script in a sandbox in which the floor's secret is denied too, so that the floor permits it. */
    private RemoteProcess run(String script, ObjectNode policy) {
        return execs.client().start(start(script).with("execPolicy", policy));
    }

    private Start start(String script) {
        return execs.scene().shell(script, SandboxScene.entry(SECRET, "deny"));
    }

    @Test
    void itWritesWhatTheFloorAllowsAndTheSandboxDoesNot() {
        Path made = WRITABLE.resolve("made");

        RemoteProcess process =
                run("cp /dev/null " + made + "; touch " + made + "; echo $?", escalating("/usr/bin/touch"));

        process.closed();
        assertThat(process.text()).endsWith("0\n");
        assertThat(stderr(process)).contains("cp: cannot create");
        assertThat(made).exists();
    }

    @Test
    void itDoesNotReachWhatTheFloorDenies() {
        Path beside = FLOOR.base().resolve("beside");

        RemoteProcess process = run(
                "bash -c 'cat " + SECRET + "; echo > " + beside + "; grep NoNewPrivs /proc/self/status; "
                        + "tail -n +3 /proc/net/dev | grep -v lo:'",
                escalating("/usr/bin/bash"));

        process.closed();
        assertThat(process.text()).doesNotContain("secret\n").contains("NoNewPrivs:\t1");
        assertThat(stderr(process)).contains("Permission denied", "Read-only file system");
        assertThat(beside).doesNotExist();
    }

    @Test
    void itKeepsDescriptorsDirectoryUmaskLimitsAndName() {
        String state = "pwd; umask; ulimit -n; ulimit -c; nice; echo $0; echo five >&5; "
                + "for f in /proc/$$/fd/*; do [ -e $f ] && [ ${f##*/} != 255 ] && echo fd ${f##*/}; done";

        RemoteProcess process = run(
                "umask 027; ulimit -Sn 77; ulimit -Hn 99; ulimit -c 0; exec 5>&1 9</dev/null; exec nice -n 3 bash -c '"
                        + state + "' named",
                escalating("/usr/bin/bash"));

        process.closed();
        assertThat(process.text())
                .isEqualTo(execs.scene().workspace() + "\n0027\n77\n0\n3\nnamed\nfive\nfd 0\nfd 1\nfd 2\nfd 5\nfd 9\n");
    }

    @Test
    void itsExitCodeIsThatOfTheTask() {
        RemoteProcess process =
                run("bash -c 'exit 42'; echo $?; bash -c 'kill -TERM $$'; echo $?", escalating("/usr/bin/bash"));

        process.closed();
        assertThat(process.text()).isEqualTo("42\n143\n");
    }

    @Test
    void itsEnvironmentIsCleaned() {
        RemoteProcess process = run(
                "BASH_ENV=/nosuch NO_COLOR=1 bash -c 'echo $NO_COLOR ${BASH_ENV-unset}'", escalating("/usr/bin/bash"));

        process.closed();
        assertThat(process.text()).isEqualTo("1 unset\n");
    }

    @Test
    void itEndsWithTheCommand() {
        String mark = "exec-floor-" + System.nanoTime();
        RemoteProcess process = run(
                "bash -c 'echo ready; while :; do sleep 0.1; done' " + mark + "; true", escalating("/usr/bin/bash"));
        process.awaitText("ready");

        assertThat(process.terminate()).isTrue();

        process.closed();
        await().atMost(Duration.ofSeconds(30)).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void theOwnProgramOfACommandCanLeaveItsSandboxForTheFloor() {
        Path made = WRITABLE.resolve("own");
        Start start = Start.of(
                        "bash", "-c", "touch " + made + "; cat " + SECRET + "; grep NoNewPrivs /proc/self/status")
                .with("cwd", "file://" + execs.scene().workspace())
                .with("sandbox", execs.scene().sandbox(SandboxScene.entry(SECRET, "deny")))
                .with("execPolicy", escalating("/usr/bin/bash"));

        RemoteProcess process = execs.client().start(start);

        process.closed();
        assertThat(process.started().result().get("sandboxType").asText()).isNotEqualTo("none");
        assertThat(made).exists();
        assertThat(process.text()).doesNotContain("secret\n").contains("NoNewPrivs:\t1");
    }

    /** Landlock lets no process look into the /proc of another one, so the program must not be reached through that. */
    @Test
    void theFloorCanBeLandlock() throws IOException {
        Path profile = Files.writeString(FLOOR.base().resolve("open.json"), """
                {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
                 {"path":{"type":"special","value":{"kind":"root"}},"access":"read"}]}}
                """);
        try (ServerProcess other = ServerProcess.listening(
                        "--sandbox-backend", "landlock", "--sandbox-floor", profile.toString());
                WireClient client = WireClient.connect(other.port())) {
            client.handshake();

            ObjectNode sandbox = execs.scene().sandbox();
            ((ObjectNode) sandbox.at("/permissions/file_system"))
                    .set("entries", Json.value(List.of(SandboxScene.special("root", "read"))));

            RemoteProcess process =
                    client.start(Start.shell("bash -c 'grep NoNewPrivs /proc/self/status; exit 5'; echo $?")
                            .with("cwd", "file://" + execs.scene().workspace())
                            .with("sandbox", sandbox)
                            .with("execPolicy", escalating("/usr/bin/bash").put("report", "decisions")));

            process.closed();
            assertThat(process.text()).isEqualTo("NoNewPrivs:\t1\n5\n");
            assertThat(client.nextStray().at("/params/decision").asText()).isEqualTo("escalate");
        }
    }
}
