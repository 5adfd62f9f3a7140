package dev.execserver.it;

import static dev.execserver.it.support.ExecScene.DENIED;
import static dev.execserver.it.support.ExecScene.policy;
import static dev.execserver.it.support.ExecScene.prompted;
import static dev.execserver.it.support.ExecScene.rule;
import static dev.execserver.it.support.ExecScene.stderr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions to the client about the programs that a command executes. */
@Timeout(120)
class ExecApprovalIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private ExecScene execs;
    private String session;

    @BeforeEach
    void connect() {
        WireClient client = SERVER.silentClient();
        session = client.handshake().get("sessionId").asText();
        execs = new ExecScene(client);
    }

    @AfterEach
    void leave() {
        execs.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theClientIsAskedAndItsAnswerDecides(boolean sandboxed) {
        RemoteProcess process = execs.run(sandboxed, "id -u; id -u; echo $?", prompted());

        JsonNode question = execs.question();
        JsonNode params = question.get("params");
        assertThat(params.get("processId").asText()).isEqualTo(process.id());
        assertThat(params.get("program").asText()).isEqualTo("file:///usr/bin/id");
        assertThat(params.get("argv")).isEqualTo(Json.value(List.of("id", "-u")));
        assertThat(params.get("justification").asText()).isEqualTo("no ids");
        assertThat(params.get("matches").get(0).get("decision").asText()).isEqualTo("prompt");
        execs.answer(question, "run");
        execs.answer(execs.question(), "deny", "reason", "not twice");

        process.closed();
        assertThat(process.text()).contains("126\n");
        assertThat(stderr(process)).isEqualTo("Execution denied: /usr/bin/id: not twice\n");
    }

    @Test
    void theOwnProgramIsAskedAboutToo() {
        RemoteProcess process = execs.client().sendStart(Start.of("id", "-u").with("execPolicy", prompted()));

        JsonNode question = execs.question();
        assertThat(question.get("params").has("pid")).isFalse();
        execs.answer(question, "run");

        process.started().result();
        assertThat(process.exited().exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOwnProgramThatIsExchangedDuringTheQuestionDoesNotRun(boolean sandboxed) throws IOException {
        var tool = Files.copy(Path.of("/bin/true"), execs.scene().workspace().resolve("tool"));
        Start start = Start.of(tool.toString()).with("execPolicy", policy(rule("prompt", "tool")));
        RemoteProcess process = execs.client()
                .sendStart(sandboxed ? start.with("sandbox", execs.scene().sandbox()) : start);
        JsonNode question = execs.question();
        Files.copy(Path.of("/bin/false"), execs.scene().workspace().resolve("other"));
        Files.move(execs.scene().workspace().resolve("other"), tool, StandardCopyOption.REPLACE_EXISTING);

        execs.answer(question, "run");

        assertThat(process.started().errorMessage()).contains("it was exchanged after the decision");
    }

    @Test
    void aStartThatWaitsForAnAnswerCanBeEnded() {
        RemoteProcess process = execs.client().sendStart(Start.of("id", "-u").with("execPolicy", prompted()));
        execs.question();

        assertThat(process.terminate()).isTrue();

        assertThat(process.started().errorMessage()).contains("cancelled");
    }

    @Test
    void anAnswerMayBeRemembered() {
        RemoteProcess process = execs.run("id -u; id -u; id -u", prompted().put("report", "decisions"));

        execs.answer(execs.question(), "run", "remember", "command");

        process.closed();
        assertThat(process.text().lines()).hasSize(3);
        assertThat(List.of(
                        execs.client().nextStray(),
                        execs.client().nextStray(),
                        execs.client().nextStray()))
                .extracting(report -> report.get("params").get("by").asText())
                .containsExactly("client", "remembered", "remembered");
    }

    @Test
    void anAnswerForTheSessionHoldsForTheNextCommand() {
        RemoteProcess first = execs.run("id -u", prompted());
        execs.answer(execs.question(), "deny", "remember", "session");
        first.closed();

        RemoteProcess second = execs.run("id -u", prompted());

        assertThat(second.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void anExecWithoutAnAnswerInTimeIsDenied() {
        RemoteProcess process = execs.run("id -u", prompted().put("promptTimeoutMs", 300));
        execs.question();

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
        process.closed();
        assertThat(stderr(process)).isEqualTo("Execution denied: /usr/bin/id: there was no answer\n");
    }

    @Test
    void anAnswerThatCannotBeReadDeniesAtOnceAndSaysSo() {
        RemoteProcess process = execs.run("id -u", prompted().put("report", "decisions"));
        execs.client().answer(execs.question(), Json.object("decision", "maybe"));

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
        process.closed();
        assertThat(stderr(process)).startsWith("Execution denied: /usr/bin/id: the answer cannot be read: ");
        assertThat(execs.client().nextStray().at("/params/by").asText()).isEqualTo("client");
    }

    @Test
    void aQuestionIsAskedAgainAfterAResume() {
        RemoteProcess process = execs.run("id -u", prompted());
        execs.question();
        execs.client().cut();
        resume();

        execs.answer(execs.question(), "deny");

        await().atMost(Duration.ofSeconds(30))
                .until(() -> execs.client()
                        .call("process/read", "processId", process.id(), "afterSeq", 0)
                        .result()
                        .path("exited")
                        .asBoolean());
    }

    private void resume() {
        execs.goOn(SERVER.silentClient());
        execs.client()
                .call("initialize", "clientName", "again", "resumeSessionId", session, "takeover", true)
                .result();
        execs.client().notify("initialized", Json.object());
    }

    @Test
    void reportsWaitForTheResumeAndTheirNumbersShowThatOlderOnesWereDropped() {
        int kept = 1_024;
        Path go = execs.scene().workspace().resolve("go");
        Path done = execs.scene().workspace().resolve("done");
        String script = "until [ -e " + go + " ]; do read -t 0.1 x; done; for i in $(seq 1200); do /bin/true; done;"
                + " touch " + done;
        Start start = Start.of("bash", "-c", script);
        execs.client().start(start.with("execPolicy", policy().put("report", "all")));
        execs.client().cut();

        assertThat(go.toFile().mkdir()).isTrue();
        await().atMost(Duration.ofSeconds(100)).until(() -> Files.exists(done));
        resume();

        List<JsonNode> reports = execs.reportsUpTo("exec/decided", "/touch");
        assertThat(reports).hasSizeBetween(kept - 1, kept + 1);
        long first = reports.getFirst().at("/params/seq").longValue();
        assertThat(first).isGreaterThan(1);
        for (int i = 0; i < reports.size(); i++) {
            assertThat(reports.get(i).at("/params/seq").longValue()).isEqualTo(first + i);
        }
    }

    @Test
    void anotherConnectionCannotAnswer() {
        RemoteProcess process = execs.run("id -u", prompted());
        JsonNode question = execs.question();
        try (WireClient other = SERVER.client()) {
            other.answer(question, Json.object("decision", "run"));
            other.assertServed();
        }
        assertThat(process.isExited()).isFalse();

        execs.answer(question, "deny");

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void theTimeLimitsStandStillDuringAQuestion() {
        long start = System.nanoTime();
        RemoteProcess process = execs.client()
                .start(Start.shell("id -u")
                        .with("timeoutMs", 6_000)
                        .with("idleTimeoutMs", 5_000)
                        .with("execPolicy", prompted()));
        JsonNode question = execs.question();
        await().atMost(Duration.ofSeconds(30)).until(() -> System.nanoTime() - start > TimeUnit.SECONDS.toNanos(7));

        execs.answer(question, "run");

        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void aQuestionHoldsUpNoOtherProgram() {
        RemoteProcess process = execs.run("id -u & env echo ran; wait", prompted());
        JsonNode question = execs.question();

        process.awaitText("ran");
        execs.answer(question, "run");

        process.closed();
        assertThat(process.text().lines()).hasSize(2);
    }

    @Test
    void moreQuestionsThanTheClientGetsAtOnceWaitForTheirTurn() {
        int programs = 150;
        RemoteProcess process = execs.run("for i in $(seq " + programs + "); do id -u & done; wait", prompted());

        for (int i = 0; i < programs; i++) {
            execs.answer(execs.question(), "run");
        }

        process.closed();
        assertThat(process.text().lines()).hasSize(programs);
    }

    @Test
    void nothingRunsWhenTheServerIsKilledDuringAQuestion() {
        var made = execs.scene().workspace().resolve("made");
        String mark = "exec-policy-" + System.nanoTime();
        try (ServerProcess killed = ServerProcess.listening(
                        "--state-dir", execs.scene().base().resolve("state").toString());
                WireClient other = WireClient.connect(killed.port())) {
            other.handshake();
            other.start(Start.shell("touch " + made).mark(mark).with("execPolicy", policy(rule("prompt", "touch"))));
            assertThat(other.nextStray().path("method").asText()).isEqualTo("exec/approval");

            killed.killHard();

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> ProcFs.marked(mark).isEmpty());
            assertThat(made).doesNotExist();
        } finally {
            execs.deleteState();
        }
    }

    @Test
    void bytesThatAreNotUtf8ArriveWhole() {
        RemoteProcess process = execs.run("id \"$(printf 'a\\377')\"", prompted());

        JsonNode question = execs.question();
        execs.answer(question, "deny");

        assertThat(question.get("params").get("argv").get(1).asText()).isEqualTo("a\\xff");
        assertThat(Json.bytes(question.get("params").get("argvBase64").get(1)))
                .isEqualTo(new byte[] {'a', (byte) 0xff});
        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void theEndOfACommandEndsItsQuestion() {
        RemoteProcess process = execs.run("id -u", prompted());
        JsonNode late = execs.question();

        assertThat(process.terminate()).isTrue();

        assertThat(process.closed().kind()).isEqualTo("closed");
        execs.answer(late, "run");
        execs.client().assertServed();
    }
}
