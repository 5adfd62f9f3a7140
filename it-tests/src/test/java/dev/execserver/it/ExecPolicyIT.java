package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules for the programs that a command executes, enforced for the command and all its descendants. */
@Timeout(120)
class ExecPolicyIT {
    private static final String NO_IDS = "Execution denied: /usr/bin/id: no ids";
    private static final int DENIED = 126;

    private static ServerProcess server;

    private final SandboxScene scene = new SandboxScene();
    private WireClient client;
    private String session;

    @BeforeAll
    static void start() {
        server = ServerProcess.listening();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        client = WireClient.connect(server.port());
        session = client.handshake().get("sessionId").asText();
    }

    @AfterEach
    void disconnect() {
        client.close();
        scene.close();
    }

    private static ObjectNode rule(String decision, String... words) {
        return Json.object("pattern", List.of(words), "decision", decision, "justification", "no ids");
    }

    private static ObjectNode policy(ObjectNode... rules) {
        return Json.object("prefixRules", List.of(rules));
    }

    private static ObjectNode forbidden() {
        return policy(rule("forbidden", "id"));
    }

    private static ObjectNode prompted() {
        return policy(rule("prompt", "id"));
    }

    private RemoteProcess run(boolean sandboxed, String script, ObjectNode policy) {
        Start start = sandboxed ? scene.shell(script) : Start.shell(script);
        return client.start(start.with("execPolicy", policy));
    }

    private RemoteProcess run(String script, ObjectNode policy) {
        return run(false, script, policy);
    }

    private JsonNode question() {
        JsonNode message = client.nextStray();
        assertThat(message.path("method").asText()).isEqualTo("exec/approval");
        return message;
    }

    private void answer(JsonNode question, String decision, String... more) {
        ObjectNode result = Json.object("decision", decision);
        for (int i = 0; i < more.length; i += 2) {
            result.put(more[i], more[i + 1]);
        }
        client.answer(question, result);
    }

    /** Returns the reports up to one about a program. */
    private List<JsonNode> reportsUpTo(String method, String program) {
        List<JsonNode> reports = new ArrayList<>();
        while (true) {
            JsonNode message = client.nextStray();
            reports.add(message);
            if (message.path("method").asText().equals(method)
                    && message.path("params").path("program").asText().endsWith(program)) {
                return reports;
            }
        }
    }

    private static String stderr(RemoteProcess process) {
        return new String(process.events().output("stderr"), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everythingRunsThatNoRuleForbids(boolean sandboxed) {
        RemoteProcess process =
                run(sandboxed, "true; env true && echo done", forbidden().put("report", "all"));

        assertThat(process.closed().kind()).isEqualTo("closed");
        assertThat(process.text()).isEqualTo("done\n");
        List<JsonNode> reports = new ArrayList<>();
        while (reports.size() < 3) {
            reports.add(client.nextStray().get("params"));
        }
        assertThat(reports).allMatch(report -> report.get("decision").asText().equals("run"));
        assertThat(reports).extracting(report -> report.get("seq").intValue()).containsExactly(1, 2, 3);
        assertThat(reports.getLast().get("program").asText()).isEqualTo("file:///usr/bin/true");
        assertThat(reports.getLast().get("argv")).isEqualTo(Json.value(List.of("true")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aForbiddenProgramEndsWith126AndSaysWhyHoweverItIsReached(boolean sandboxed) {
        RemoteProcess process = run(
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
        Start start = sandboxed ? scene.shell("id; env id; ulimit -n") : Start.shell("id; env id; ulimit -n");

        RemoteProcess process =
                client.start(start.with("limits", Json.object("openFiles", 77)).with("execPolicy", forbidden()));

        process.closed();
        assertThat(process.text().lines().filter(NO_IDS::equals)).hasSize(2);
        assertThat(process.text()).endsWith("77\n");
    }

    @Test
    void aCommandOnATerminalIsIntercepted() {
        RemoteProcess process = client.start(Start.shell("id; echo $?").tty().with("execPolicy", forbidden()));

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

        RemoteProcess process = run("id -g; echo $?; id -n -u >/dev/null; echo $?", policy);

        process.closed();
        assertThat(new String(process.events().output("stdout"), StandardCharsets.UTF_8))
                .isEqualTo("126\n0\n");
        assertThat(client.nextStray().get("params").get("rule").asText()).isEqualTo("team.rules:1");
    }

    @Test
    void theOwnProgramIsDecidedBeforeItStarts() {
        Answer answer =
                client.sendStart(Start.of("id").with("execPolicy", forbidden())).started();

        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage()).isEqualTo(NO_IDS);
        assertThat(answer.error().get("data").get("reason").asText()).isEqualTo("execPolicy");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theClientIsAskedAndItsAnswerDecides(boolean sandboxed) {
        RemoteProcess process = run(sandboxed, "id -u; id -u; echo $?", prompted());

        JsonNode question = question();
        JsonNode params = question.get("params");
        assertThat(params.get("processId").asText()).isEqualTo(process.id());
        assertThat(params.get("program").asText()).isEqualTo("file:///usr/bin/id");
        assertThat(params.get("argv")).isEqualTo(Json.value(List.of("id", "-u")));
        assertThat(params.get("justification").asText()).isEqualTo("no ids");
        assertThat(params.get("matches").get(0).get("decision").asText()).isEqualTo("prompt");
        answer(question, "run");
        answer(question(), "deny", "reason", "not twice");

        process.closed();
        assertThat(process.text()).contains("126\n");
        assertThat(stderr(process)).isEqualTo("Execution denied: /usr/bin/id: not twice\n");
    }

    @Test
    void theOwnProgramIsAskedAboutToo() {
        RemoteProcess process = client.sendStart(Start.of("id", "-u").with("execPolicy", prompted()));

        JsonNode question = question();
        assertThat(question.get("params").has("pid")).isFalse();
        answer(question, "run");

        process.started().result();
        assertThat(process.exited().exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOwnProgramThatIsExchangedDuringTheQuestionDoesNotRun(boolean sandboxed) throws IOException {
        var tool = Files.copy(Path.of("/bin/true"), scene.workspace().resolve("tool"));
        Start start = Start.of(tool.toString()).with("execPolicy", policy(rule("prompt", "tool")));
        RemoteProcess process = client.sendStart(sandboxed ? start.with("sandbox", scene.sandbox()) : start);
        JsonNode question = question();
        Files.copy(Path.of("/bin/false"), scene.workspace().resolve("other"));
        Files.move(scene.workspace().resolve("other"), tool, StandardCopyOption.REPLACE_EXISTING);

        answer(question, "run");

        assertThat(process.started().errorMessage()).contains("it was exchanged after the decision");
    }

    @Test
    void aStartThatWaitsForAnAnswerCanBeEnded() {
        RemoteProcess process = client.sendStart(Start.of("id", "-u").with("execPolicy", prompted()));
        question();

        assertThat(process.terminate()).isTrue();

        assertThat(process.started().errorMessage()).contains("cancelled");
    }

    @Test
    void anAnswerMayBeRemembered() {
        RemoteProcess process = run("id -u; id -u; id -u", prompted().put("report", "decisions"));

        answer(question(), "run", "remember", "command");

        process.closed();
        assertThat(process.text().lines()).hasSize(3);
        assertThat(List.of(client.nextStray(), client.nextStray(), client.nextStray()))
                .extracting(report -> report.get("params").get("by").asText())
                .containsExactly("client", "remembered", "remembered");
    }

    @Test
    void anAnswerForTheSessionHoldsForTheNextCommand() {
        RemoteProcess first = run("id -u", prompted());
        answer(question(), "deny", "remember", "session");
        first.closed();

        RemoteProcess second = run("id -u", prompted());

        assertThat(second.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void anExecWithoutAnAnswerInTimeIsDenied() {
        RemoteProcess process = run("id -u", prompted().put("promptTimeoutMs", 300));
        question();

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
        process.closed();
        assertThat(stderr(process)).isEqualTo("Execution denied: /usr/bin/id: there was no answer\n");
    }

    @Test
    void anAnswerThatCannotBeReadDenies() {
        RemoteProcess process = run("id -u", prompted());
        client.answer(question(), Json.object("decision", "maybe"));

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void aQuestionIsAskedAgainAfterAResume() {
        RemoteProcess process = run("id -u", prompted());
        question();
        client.cut();
        client = WireClient.connect(server.port());
        client.call("initialize", "clientName", "again", "resumeSessionId", session, "takeover", true)
                .result();
        client.notify("initialized", Json.object());

        answer(question(), "deny");

        await().atMost(Duration.ofSeconds(30))
                .until(() -> client.call("process/read", "processId", process.id(), "afterSeq", 0)
                        .result()
                        .path("exited")
                        .asBoolean());
    }

    @Test
    void theTimeLimitsStandStillDuringAQuestion() {
        long start = System.nanoTime();
        RemoteProcess process = client.start(Start.shell("id -u")
                .with("timeoutMs", 6_000)
                .with("idleTimeoutMs", 5_000)
                .with("execPolicy", prompted()));
        JsonNode question = question();
        await().atMost(Duration.ofSeconds(30)).until(() -> System.nanoTime() - start > TimeUnit.SECONDS.toNanos(7));

        answer(question, "run");

        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void anEscalatedProgramRunsOutsideOfTheSandbox() {
        var outside = scene.base().resolve("outside");
        ObjectNode policy = policy(rule("allow", "/usr/bin/touch"))
                .put("allowed", "escalate")
                .put("report", "all");

        RemoteProcess process = run(true, "cp /dev/null " + outside + "; touch " + outside + "; echo $?", policy);

        process.closed();
        assertThat(process.text()).endsWith("0\n");
        assertThat(outside).exists();
        List<JsonNode> reports = reportsUpTo("exec/decided", "/touch");
        assertThat(reports.getLast().get("params").get("decision").asText()).isEqualTo("escalate");
        JsonNode ended = client.nextStray();
        assertThat(ended.get("method").asText()).isEqualTo("exec/ended");
        assertThat(ended.get("params").get("exitCode").intValue()).isZero();
        assertThat(ended.get("params").get("execId"))
                .isEqualTo(reports.getLast().get("params").get("execId"));
    }

    @Test
    void theClientCanLetAProgramLeaveTheSandbox() {
        var outside = scene.base().resolve("outside");
        RemoteProcess process = run(true, "touch " + outside, policy(rule("prompt", "touch")));

        answer(question(), "escalate");

        assertThat(process.exited().exitCode()).isZero();
        assertThat(outside).exists();
    }

    @Test
    void nothingLeavesTheSandboxBelowAFloor() {
        try (ServerProcess bounded = ServerProcess.listening("--require-sandbox");
                WireClient other = WireClient.connect(bounded.port())) {
            other.handshake();
            var outside = scene.base().resolve("outside");
            ObjectNode policy = policy(rule("allow", "touch")).put("allowed", "escalate");

            RemoteProcess process = other.start(scene.shell("touch " + outside).with("execPolicy", policy));

            assertThat(process.exited().exitCode()).isEqualTo(DENIED);
            process.closed();
            assertThat(stderr(process))
                    .contains("Execution denied: ", "the operator lets no program leave its sandbox");
            assertThat(outside).doesNotExist();
        }
    }

    @Test
    void aFileThatExistsInTheSandboxOnlyDoesNotLeaveIt() {
        String script = "import os; fd = os.memfd_create('x'); os.write(fd, open('/bin/true', 'rb').read()); "
                + "os.execv('/proc/self/fd/%d' % fd, ['x'])";
        ObjectNode policy =
                policy(rule("allow", "python3"), rule("allow", "sh")).put("fallback", "prompt");
        RemoteProcess process = run(true, "python3 -c \"" + script + "\"", policy);

        answer(question(), "escalate");

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
        process.closed();
        assertThat(stderr(process)).contains("Execution denied: ", "outside of the sandbox this is another file");
    }

    @Test
    void aQuestionHoldsUpNoOtherProgram() {
        RemoteProcess process = run("id -u & env echo ran; wait", prompted());
        JsonNode question = question();

        process.awaitText("ran");
        answer(question, "run");

        process.closed();
        assertThat(process.text().lines()).hasSize(2);
    }

    @Test
    void moreQuestionsThanTheClientGetsAtOnceWaitForTheirTurn() {
        int programs = 150;
        RemoteProcess process = run("for i in $(seq " + programs + "); do id -u & done; wait", prompted());

        for (int i = 0; i < programs; i++) {
            answer(question(), "run");
        }

        process.closed();
        assertThat(process.text().lines()).hasSize(programs);
    }

    @Test
    void nothingRunsWhenTheServerIsKilledDuringAQuestion() {
        var made = scene.workspace().resolve("made");
        String mark = "exec-policy-" + System.nanoTime();
        try (ServerProcess killed = ServerProcess.listening(
                        "--state-dir", scene.base().resolve("state").toString());
                WireClient other = WireClient.connect(killed.port())) {
            other.handshake();
            other.start(Start.shell("touch " + made).mark(mark).with("execPolicy", policy(rule("prompt", "touch"))));
            assertThat(other.nextStray().path("method").asText()).isEqualTo("exec/approval");

            killed.killHard();

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> ProcFs.marked(mark).isEmpty());
            assertThat(made).doesNotExist();
        } finally {
            deleteState();
        }
    }

    @Test
    void bytesThatAreNotUtf8ArriveWhole() {
        RemoteProcess process = run("id \"$(printf 'a\\377')\"", prompted());

        JsonNode question = question();
        answer(question, "deny");

        assertThat(question.get("params").get("argv").get(1).asText()).isEqualTo("a\\xff");
        assertThat(Json.bytes(question.get("params").get("argvBase64").get(1)))
                .isEqualTo(new byte[] {'a', (byte) 0xff});
        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void theEndOfACommandEndsItsQuestion() {
        RemoteProcess process = run("id -u", prompted());
        JsonNode late = question();

        assertThat(process.terminate()).isTrue();

        assertThat(process.closed().kind()).isEqualTo("closed");
        answer(late, "run");
        client.assertServed();
    }

    @Test
    void rulesThatCannotBeReadRefuseTheStart() {
        ObjectNode broken = Json.object("rules", List.of(Json.object("name", "a.rules", "text", "nonsense(")));

        Answer answer =
                client.sendStart(Start.of("true").with("execPolicy", broken)).started();

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
                        scene.base().resolve("state").toString()))
                .toArray(String[]::new);
        RemoteProcess inner = client.start(Start.of(command).with("execPolicy", forbidden()));
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
            deleteState();
        }
    }

    private static int portOf(String output) {
        Matcher url = Pattern.compile("ws://127\\.0\\.0\\.1:(\\d+)\n").matcher(output);
        return url.find() ? Integer.parseInt(url.group(1)) : 0;
    }

    private void deleteState() {
        try (var files = Files.walk(scene.base().resolve("state"))) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aCommandWithoutRulesHasNoFilter() {
        RemoteProcess process = client.start(Start.shell("grep -e NoNewPrivs -e Seccomp: /proc/self/status"));

        process.closed();
        assertThat(process.text()).doesNotContain("1", "2");
    }

    @Test
    void theStatusSaysThatProgramsCanBeIntercepted() {
        assertThat(client.call("sandbox/status").result().get("findings"))
                .filteredOn(finding -> finding.get("layer").asText().equals("exec interception"))
                .extracting(finding -> finding.get("status").asText())
                .containsExactly("ok");
    }
}
