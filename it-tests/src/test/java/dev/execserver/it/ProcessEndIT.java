package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How processes end, and what of their trees remains: nothing. */
@Timeout(60)
class ProcessEndIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private final String mark = UUID.randomUUID().toString();
    private WireClient client;

    @BeforeEach
    void connect() {
        client = SERVER.client();
    }

    @Test
    void b01_exitedDoesNotWaitForAGrandchildThatHoldsThePipeAndClosedDoes() {
        RemoteProcess process =
                client.start(Start.bash("(exec sleep 50)& echo done").mark(mark));

        assertThat(process.exited().exitCode()).isZero();
        assertThat(process.text()).isEqualTo("done\n");
        List<Long> holders = ProcFs.marked(mark);
        assertThat(holders).hasSize(1);
        assertThat(process.isClosed()).isFalse();
        client.start(Start.of("kill", holders.getFirst().toString())).exited();
        process.closed();
    }

    @Test
    void b01_outputWrittenBeforeTheExitPrecedesExited() {
        RemoteProcess process = client.start(Start.bash("(sleep 1)& head -c 50000 /dev/zero; exit 4"));

        assertThat(process.exited().exitCode()).isEqualTo(4);
        assertThat(process.events().bytes()).isEqualTo(50_000);
        process.closed();
        assertThat(process.events().misplaced()).isZero();
    }

    @Test
    void b02_terminateTakesASetsidChildToo() {
        RemoteProcess process =
                client.start(Start.bash("setsid sleep 41 & sleep 60").mark(mark));
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).size() >= 2);

        assertThat(process.terminate()).isTrue();
        process.closed();
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void terminateTakesADoubleForkedDaemonThatClosedItsStreams() {
        RemoteProcess process =
                client.start(Start.bash("(setsid setsid sleep 42 </dev/null >/dev/null 2>&1 &) ; sleep 60")
                        .mark(mark));
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).size() >= 2);

        process.terminate();
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void b03_aChildThatIgnoresTermIntAndHupIsKilled() {
        RemoteProcess process =
                client.start(Start.shell("trap '' TERM INT HUP; echo ready; while :; do sleep 0.1; done"));
        process.awaitText("ready");

        assertThat(process.terminate()).isTrue();
        assertThat(process.exited().exitCode()).isEqualTo(137);
    }

    @Test
    void b08_outputOfATerminatedCommandStaysReadable() {
        RemoteProcess process = client.start(Start.shell("echo before; sleep 30"));
        process.awaitText("before");
        process.terminate();
        process.closed();

        JsonNode read = process.read();
        assertThat(RemoteProcess.bytes(read)).asString().isEqualTo("before\n");
        assertThat(read.get("exitCode").intValue()).isEqualTo(137);
        assertThat(read.get("closed").booleanValue()).isTrue();
    }

    @Test
    void b09_aMissingProgramIsAnErrorThatNamesTheProgram() {
        Answer answer = client.sendStart(Start.of("/nonexistent/program")).started();

        assertThat(answer.errorCode()).isEqualTo(-32603);
        assertThat(answer.errorMessage()).contains("No such file or directory (os error 2)");
        JsonNode data = answer.error().path("data");
        assertThat(data.path("errno").asInt()).isEqualTo(2);
        assertThat(data.path("what").asText()).isEqualTo("program");
        assertThat(data.path("path").asText()).isEqualTo("/nonexistent/program");
    }

    @Test
    void b09_aProgramThatIsNotOnThePathOfTheChildIsMissing() {
        Answer answer = client.sendStart(Start.of("sh", "-c", ":").env("PATH", "/nonexistent"))
                .started();

        assertThat(answer.errorCode()).isEqualTo(-32603);
        assertThat(answer.error().path("data").path("what").asText()).isEqualTo("program");
    }

    @Test
    void b09_aMissingDirectoryIsAnErrorThatNamesTheDirectory() {
        Answer answer = client.sendStart(Start.of("true").with("cwd", "file:///nonexistent/dir"))
                .started();

        assertThat(answer.errorCode()).isEqualTo(-32603);
        assertThat(answer.errorMessage()).contains("No such file or directory (os error 2)");
        JsonNode data = answer.error().path("data");
        assertThat(data.path("what").asText()).isEqualTo("cwd");
        assertThat(data.path("path").asText()).isEqualTo("/nonexistent/dir");
    }

    @Test
    void b09_aProgramWithoutPermissionIsRefusedWithEacces() {
        Answer answer = client.sendStart(Start.of("/etc/passwd")).started();

        assertThat(answer.errorCode()).isEqualTo(-32603);
        assertThat(answer.errorMessage()).contains("Permission denied (os error 13)");
    }

    @Test
    void b09_aMissingProgramOnATerminalIsTheSameError() {
        Answer answer = client.sendStart(Start.of("/nonexistent/program").tty()).started();

        assertThat(answer.errorCode()).isEqualTo(-32603);
        assertThat(answer.error().path("data").path("what").asText()).isEqualTo("program");
    }

    @Test
    void anIdIsFreeAgainAfterAFailedStart() {
        client.sendStart(Start.of("/nonexistent/program").id("again")).started().error();

        RemoteProcess second = client.start(Start.of("true").id("again"));
        assertThat(second.exited().exitCode()).isZero();
    }

    @Test
    void b11_processSubstitutionEnds() {
        RemoteProcess process = client.start(
                Start.bash("exec > >(tee -a /dev/null) 2>&1; echo hello").mark(mark));

        process.closed();
        assertThat(process.text()).isEqualTo("hello\n");
        assertThat(ProcFs.marked(mark)).isEmpty();
    }

    @Test
    void terminateOfATreeWhoseLeaderIsDeadSaysRunningAndClosedFollows() {
        RemoteProcess process = client.start(Start.shell("sleep 1000 & exit 3").mark(mark));
        assertThat(process.exited().exitCode()).isEqualTo(3);
        assertThat(process.isClosed()).isFalse();

        assertThat(process.terminate()).isTrue();
        process.closed();
        assertThat(ProcFs.marked(mark)).isEmpty();
    }

    @Test
    void theEndIsToldThoughTheLogIsFullAndNobodyReads() throws Exception {
        try (ServerProcess small = ServerProcess.listening("--output-retention-bytes", "16MiB");
                WireClient polling = WireClient.connect(small.port())) {
            polling.handshake();
            RemoteProcess own = polling.start(
                    Start.shell("head -c 16800000 /dev/zero; exit 4").with("push", false));
            own.closed(Duration.ofSeconds(20));
            assertThat(own.exited().exitCode()).isEqualTo(4);

            RemoteProcess withDaemon = polling.start(Start.shell("(sleep 20 &); head -c 16800000 /dev/zero; exit 5")
                    .with("push", false)
                    .with("closeGraceMs", 100));
            withDaemon.closed(Duration.ofSeconds(20));
            assertThat(withDaemon.exited().exitCode()).isEqualTo(5);

            RemoteProcess endless = polling.start(Start.of("yes").with("push", false));
            JsonNode list = polling.call("process/list").result().get("processes");
            long pid = list.get(2).get("pid").longValue();
            AtomicLong before = new AtomicLong(-1);
            await("it is held")
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(300))
                    .until(() ->
                            before.getAndSet(ProcFs.written(pid)) == ProcFs.written(pid) && before.get() > 16 << 20);
            endless.terminate();
            endless.closed(Duration.ofSeconds(10));
            assertThat(endless.exited().exitCode()).isEqualTo(137);
        }
    }

    @Test
    void terminateOfAFinishedOrUnknownProcessSaysNotRunning() {
        RemoteProcess process = client.start(Start.of("true"));
        process.closed();

        assertThat(process.terminate()).isFalse();
        assertThat(client.call("process/terminate", "processId", "nobody")
                        .result()
                        .get("running")
                        .booleanValue())
                .isFalse();
    }

    @Test
    void exitCodesOfSignalsAre128PlusTheNumberForPipesAndTerminals() {
        List<RemoteProcess> processes = List.of(
                client.start(Start.shell("kill -TERM $$")),
                client.start(Start.shell("kill -TERM $$").tty()),
                client.start(Start.shell("kill -KILL $$").tty()));

        assertThat(processes).extracting(process -> process.exited().exitCode()).containsExactly(143, 143, 137);
    }

    @Test
    void aProcessIsLeaderOfItsOwnSessionAndInheritsNoDescriptor() {
        // The shell lists its own: a pipeline would be descriptors of its own making.
        RemoteProcess process = client.start(Start.shell(
                "cut -d' ' -f1,5,6 /proc/$$/stat; for fd in /proc/$$/fd/*; do printf '%s ' \"${fd##*/}\"; done"));
        process.closed();

        String[] lines = process.text().split("\n");
        String pid = lines[0].split(" ")[0];
        assertThat(lines[0]).isEqualTo(pid + " " + pid + " " + pid);
        assertThat(lines[1].trim()).matches("0 1 2( 3)?( 10)?");
    }

    @Test
    void arg0IsWhatTheProgramSees() {
        RemoteProcess process = client.start(Start.shell("echo $0").with("arg0", "renamed"));
        process.closed();

        assertThat(process.text()).isEqualTo("renamed\n");
    }

    @Test
    void theEnvironmentIsExactlyTheOneGiven() {
        RemoteProcess process = client.start(Start.of("/usr/bin/env").with("env", java.util.Map.of("ONLY", "this")));
        process.closed();

        assertThat(process.text()).isEqualTo("ONLY=this\n");
    }
}
