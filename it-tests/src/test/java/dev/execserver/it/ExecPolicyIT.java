package dev.execserver.it;

import static dev.execserver.it.support.ExecScene.DENIED;
import static dev.execserver.it.support.ExecScene.NO_IDS;
import static dev.execserver.it.support.ExecScene.forbidden;
import static dev.execserver.it.support.ExecScene.policy;
import static dev.execserver.it.support.ExecScene.stderr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules for the programs that a command executes, enforced for the command and all its descendants. */
@Timeout(120)
class ExecPolicyIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private ExecScene execs;

    @BeforeEach
    void connect() {
        execs = new ExecScene(SERVER.client());
    }

    @AfterEach
    void leave() {
        execs.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everythingRunsThatNoRuleForbids(boolean sandboxed) {
        RemoteProcess process =
                execs.run(sandboxed, "true; env true && echo done", forbidden().put("report", "all"));

        assertThat(process.closed().kind()).isEqualTo("closed");
        assertThat(process.text()).isEqualTo("done\n");
        List<JsonNode> reports = new ArrayList<>();
        while (reports.size() < 3) {
            reports.add(execs.client().nextStray().get("params"));
        }
        assertThat(reports).allMatch(report -> report.get("decision").asText().equals("run"));
        assertThat(reports).extracting(report -> report.get("seq").intValue()).containsExactly(1, 2, 3);
        assertThat(reports.getLast().get("program").asText()).isEqualTo("file:///usr/bin/true");
        assertThat(reports.getLast().get("argv")).isEqualTo(Json.value(List.of("true")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aForbiddenProgramEndsWith126AndSaysWhyHoweverItIsReached(boolean sandboxed) {
        RemoteProcess process = execs.run(
                sandboxed,
                "id; echo $?; env id; echo $?; echo x | xargs id; echo $?; "
                        + "python3 -c 'import subprocess; print(subprocess.call([\"id\"]))'",
                forbidden());

        process.closed();
        // xargs(1) has an exit code of its own.
        assertThat(new String(process.events().output("stdout"), StandardCharsets.UTF_8))
                .isEqualTo("126\n126\n123\n126\n");
        assertThat(stderr(process).lines().filter(NO_IDS::equals)).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCommandWithLimitsIsIntercepted(boolean sandboxed) {
        Start start = sandboxed ? execs.scene().shell("id; env id; ulimit -n") : Start.shell("id; env id; ulimit -n");

        RemoteProcess process = execs.client()
                .start(start.with("limits", Json.object("openFiles", 77)).with("execPolicy", forbidden()));

        process.closed();
        assertThat(process.text().lines().filter(NO_IDS::equals)).hasSize(2);
        assertThat(process.text()).endsWith("77\n");
    }

    @Test
    void aCommandOnATerminalIsIntercepted() {
        RemoteProcess process =
                execs.client().start(Start.shell("id; echo $?").tty().with("execPolicy", forbidden()));

        process.closed();
        assertThat(process.text()).contains(NO_IDS, "126");
    }

    @Test
    void aTextOfRulesDecidesLikeAFile() {
        ObjectNode policy = Json.object(
                "rules",
                List.of(Json.object(
                        "name", "team.rules", "text", "prefix_rule([\"id\", [\"-u\", \"-g\"]], \"forbidden\")")),
                "report",
                "decisions");

        RemoteProcess process = execs.run("id -g; echo $?; id -n -u >/dev/null; echo $?", policy);

        process.closed();
        assertThat(new String(process.events().output("stdout"), StandardCharsets.UTF_8))
                .isEqualTo("126\n0\n");
        assertThat(execs.client().nextStray().get("params").get("rule").asText())
                .isEqualTo("team.rules:1");
    }

    @Test
    void commandLinesAreJudgedWhereNoRuleDoes() {
        ObjectNode policy =
                policy().put("heuristics", true).put("fallback", "prompt").put("report", "all");
        // Without a sandbox root could have written the program itself.
        Start start = Start.of("ls", "-d", "/")
                .with("sandbox", execs.scene().sandbox())
                .with("execPolicy", policy);

        RemoteProcess harmless = execs.client().start(start);

        harmless.closed();
        assertThat(harmless.text()).isEqualTo("/\n");
        assertThat(execs.client().nextStray().at("/params/by").asText()).isEqualTo("heuristics");
        RemoteProcess dangerous = execs.run("rm -rf /nosuch", policy().put("heuristics", true));
        execs.answer(execs.question(), "deny");
        assertThat(dangerous.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void theOwnProgramIsDecidedBeforeItStarts() {
        Answer answer = execs.client()
                .sendStart(Start.of("id").with("execPolicy", forbidden()))
                .started();

        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage()).isEqualTo(NO_IDS);
        assertThat(answer.error().get("data").get("reason").asText()).isEqualTo("execPolicy");
    }

    @Test
    void rulesThatCannotBeReadRefuseTheStart() {
        ObjectNode broken = Json.object("rules", List.of(Json.object("name", "a.rules", "text", "nonsense(")));

        Answer answer = execs.client()
                .sendStart(Start.of("true").with("execPolicy", broken))
                .started();

        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage()).contains("a.rules:1:");
    }

    @Test
    void aStrictServerRefusesAStartWithRules() {
        try (ServerProcess strict = ServerProcess.listening("--protocol", "strict");
                WireClient other = WireClient.connect(strict.port())) {
            other.handshake();

            Answer answer = other.sendStart(Start.of("true").with("execPolicy", forbidden()))
                    .started();

            assertThat(answer.errorCode()).isEqualTo(-32602);
            assertThat(answer.errorMessage()).contains("`execPolicy`");
        }
    }

    /** The server runs as an intercepted command itself: a second filter with a listener is refused by the kernel. */
    @Test
    void aMachineThatCannotInterceptRefusesAStartWithRulesAndRunsOthers() {
        String[] command = ServerCommand.of(List.of(
                        "--listen",
                        "ws://127.0.0.1:0",
                        "--state-dir",
                        execs.scene().base().resolve("state").toString()))
                .toArray(String[]::new);
        RemoteProcess inner = execs.client().start(Start.of(command).with("execPolicy", forbidden()));
        int port = await().atMost(Duration.ofSeconds(60)).until(() -> portOf(inner.text()), found -> found > 0);
        try (WireClient other = WireClient.connect(port)) {
            other.handshake();

            Answer answer = other.sendStart(Start.of("true").with("execPolicy", forbidden()))
                    .started();

            assertThat(answer.errorCode()).isEqualTo(-32602);
            assertThat(answer.errorMessage()).contains("cannot be intercepted", "filter with a listener of its own");
            assertThat(other.call("sandbox/status").result().get("findings"))
                    .filteredOn(finding -> finding.get("layer").asText().equals("exec interception"))
                    .singleElement()
                    .satisfies(finding ->
                            assertThat(finding.get("status").asText()).isEqualTo("missing"));
            assertThat(other.start(Start.of("true")).exited().exitCode()).isZero();
        } finally {
            inner.terminate();
            inner.closed();
            execs.deleteState();
        }
    }

    private static int portOf(String output) {
        Matcher url = Pattern.compile("ws://127\\.0\\.0\\.1:(\\d+)\n").matcher(output);
        return url.find() ? Integer.parseInt(url.group(1)) : 0;
    }

    @Test
    void aCommandWithoutRulesHasNoFilter() {
        RemoteProcess process = execs.client().start(Start.shell("grep -e NoNewPrivs -e Seccomp: /proc/self/status"));

        process.closed();
        assertThat(process.text()).doesNotContain("1", "2");
    }

    @Test
    void theStatusSaysThatProgramsCanBeIntercepted() {
        assertThat(execs.client().call("sandbox/status").result().get("findings"))
                .filteredOn(finding -> finding.get("layer").asText().equals("exec interception"))
                .extracting(finding -> finding.get("status").asText())
                .containsExactly("ok");
    }
}
