package dev.execserver.it;

import static dev.execserver.it.support.ExecScene.DENIED;
import static dev.execserver.it.support.ExecScene.policy;
import static dev.execserver.it.support.ExecScene.rule;
import static dev.execserver.it.support.ExecScene.stderr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs that leave the sandbox of their command by a rule or by an answer of the client. */
@Timeout(120)
class ExecEscalationIT {
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

    @Test
    void anEscalatedProgramRunsOutsideOfTheSandbox() {
        var outside = execs.scene().base().resolve("outside");
        ObjectNode policy = policy(rule("allow", "/usr/bin/touch"))
                .put("allowed", "escalate")
                .put("report", "all");

        RemoteProcess process = execs.run(true, "cp /dev/null " + outside + "; touch " + outside + "; echo $?", policy);

        process.closed();
        assertThat(process.text()).endsWith("0\n");
        assertThat(outside).exists();
        List<JsonNode> reports = execs.reportsUpTo("exec/decided", "/touch");
        assertThat(reports.getLast().get("params").get("decision").asText()).isEqualTo("escalate");
        JsonNode ended = execs.client().nextStray();
        assertThat(ended.get("method").asText()).isEqualTo("exec/ended");
        assertThat(ended.get("params").get("exitCode").intValue()).isZero();
        assertThat(ended.get("params").get("execId"))
                .isEqualTo(reports.getLast().get("params").get("execId"));
    }

    @Test
    void theClientCanLetAProgramLeaveTheSandbox() {
        var outside = execs.scene().base().resolve("outside");
        RemoteProcess process = execs.run(true, "touch " + outside, policy(rule("prompt", "touch")));

        execs.answer(execs.question(), "escalate");

        assertThat(process.exited().exitCode()).isZero();
        assertThat(outside).exists();
    }

    @Test
    void nothingLeavesTheSandboxOfAServerThatRequiresOne() {
        try (ServerProcess bounded = ServerProcess.listening("--require-sandbox");
                WireClient other = WireClient.connect(bounded.port())) {
            other.handshake();
            var outside = execs.scene().base().resolve("outside");
            ObjectNode policy = policy(rule("allow", "touch")).put("allowed", "escalate");

            RemoteProcess process =
                    other.start(execs.scene().shell("touch " + outside).with("execPolicy", policy));

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
        RemoteProcess process = execs.run(true, "python3 -c \"" + script + "\"", policy);

        execs.answer(execs.question(), "escalate");

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
        process.closed();
        assertThat(stderr(process)).contains("Execution denied: ", "outside of the sandbox this is another file");
    }

    private static ObjectNode escalatingBash() {
        return policy(rule("allow", "/usr/bin/bash")).put("allowed", "escalate");
    }

    /** A program that says that it runs, says which signal it gets, and does not end by itself. */
    private static String patient(String mark) {
        return "bash -c 'trap \"echo got INT; exit 3\" INT; echo ready; while :; do sleep 0.1; done' " + mark
                + "; echo $?";
    }

    private static String mark() {
        return "exec-escalation-" + System.nanoTime();
    }

    @Test
    void theTimeLimitOfTheCommandEndsIt() {
        String mark = mark();
        Start start =
                execs.scene().shell(patient(mark)).with("timeoutMs", 1_500).with("execPolicy", escalatingBash());

        RemoteProcess process = execs.client().start(start);

        process.closed();
        await().atMost(Duration.ofSeconds(30)).until(() -> ProcFs.marked(mark).isEmpty());
        assertThat(process.text()).doesNotContain("got");
    }

    @Test
    void theEndOfTheSessionEndsIt() {
        String mark = mark();
        try (WireClient other = WireClient.connect(SERVER.port())) {
            other.handshake();
            RemoteProcess process =
                    other.start(execs.scene().shell(patient(mark)).with("execPolicy", escalatingBash()));
            process.awaitText("ready");
            other.call("session/end");
        }

        await().atMost(Duration.ofSeconds(30)).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void ctrlCOnTheTerminalReachesIt() {
        RemoteProcess process = execs.client()
                .start(execs.scene()
                        .shell("trap : INT; " + patient(mark()))
                        .tty()
                        .with("execPolicy", escalatingBash()));
        process.awaitText("ready");

        process.write("\u0003");

        process.awaitText("got INT");
        process.closed();
    }
}
