package dev.execserver.client;

import static dev.execserver.client.Clients.async;
import static dev.execserver.client.Clients.connect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import dev.execserver.protocol.process.StreamKind;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessConvenienceTest {

    private final FakeServer server = new FakeServer(Era.OURS, "push", "process/closeStdin", "graceMs");
    private ExecServerClient client;

    @BeforeEach
    void open() throws InterruptedException {
        client = connect(server);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private RemoteProcess start(ProcessSpec spec) throws InterruptedException {
        return client.start(spec.processId("p"));
    }

    @Test
    void theFutureOfTheExitIsCompletedOnceForAll() throws Exception {
        RemoteProcess process = start(ProcessSpec.of("x"));
        CompletableFuture<Outcome> exit = process.onExit();
        assertThat(exit).isNotDone();
        assertThat(process.onExit().cancel(true)).isTrue();

        server.exit("p", 3, false);

        assertThat(exit.get(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Outcome.Exited.class,
                        exited -> assertThat(exited.exitCode()).isEqualTo(3));
        assertThat(process.onExit().get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Exited.class);
    }

    @Test
    void theFutureOfALostProcessTellsTheLoss() throws Exception {
        RemoteProcess process = start(ProcessSpec.of("x"));
        CompletableFuture<Outcome> exit = process.onExit();
        process.close();

        assertThat(exit.get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Lost.class);
    }

    @Test
    void aRedirectedErrorStreamIsInOrderWithTheOutput() throws Exception {
        RemoteProcess process = start(ProcessSpec.of("x").redirectErrorStream());
        server.output("p", StreamKind.STDOUT, "a");
        server.output("p", StreamKind.STDERR, "b");
        server.output("p", StreamKind.STDOUT, "c");
        server.exit("p", 0, false);
        server.close("p");

        assertThat(process.stdoutAsText()).isEqualTo("abc");
        assertThat(process.stderrAsText()).isEmpty();
    }

    @Test
    void bothTextsCanBeReadOneAfterTheOther() throws Exception {
        RemoteProcess process = start(ProcessSpec.of("x"));
        server.output("p", StreamKind.STDERR, "bad");
        server.output("p", StreamKind.STDOUT, "gr\u00fcn");
        server.exit("p", 0, false);
        server.close("p");

        assertThat(process.stdoutAsText()).isEqualTo("gr\u00fcn");
        assertThat(process.stderrAsText()).isEqualTo("bad");
    }

    @Test
    void aProcessOfTheJdkShowsStreamsExitAndEnd() throws Exception {
        Process process = start(ProcessSpec.of("x").stdin()).asProcess();
        assertThat(process.isAlive()).isTrue();
        assertThatThrownBy(process::exitValue).isInstanceOf(IllegalThreadStateException.class);
        process.getOutputStream().write("in".getBytes());
        process.getOutputStream().flush();
        assertThat(server.stdin("p")).isEqualTo("in");
        FutureTask<Integer> code = async(process::waitFor);
        server.output("p", StreamKind.STDOUT, "out");
        server.output("p", StreamKind.STDERR, "err");
        server.exit("p", 7, false);
        server.close("p");

        assertThat(process.getInputStream().readAllBytes()).asString().isEqualTo("out");
        assertThat(process.getErrorStream().readAllBytes()).asString().isEqualTo("err");
        assertThat(code.get()).isEqualTo(7);
        assertThat(process.onExit().get(30, TimeUnit.SECONDS)).isSameAs(process);
        assertThat(process.exitValue()).isEqualTo(7);
        assertThat(process.isAlive()).isFalse();
        assertThatThrownBy(process::pid).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void destroyGivesAGraceAndDestroyForciblyDoesNot() throws Exception {
        Process process = start(ProcessSpec.of("x")).asProcess();
        process.destroy();
        await().until(() -> server.log().stream().anyMatch(line -> line.startsWith("process/terminate")));
        assertThat(terminated()).contains("\"graceMs\":5000");
        assertThat(process.destroyForcibly()).isSameAs(process);
        await().until(() -> !terminated().contains("graceMs"));
    }

    private String terminated() {
        return server.log().stream()
                .filter(line -> line.startsWith("process/terminate"))
                .reduce("", (earlier, later) -> later);
    }

    @Test
    void aSpecDoesNotChangeAndStartsManyProcesses() throws Exception {
        ProcessSpec spec = ProcessSpec.of("x").env(Map.of("A", "1"));
        ProcessSpec more = spec.env("B", "2").tty();
        try (RemoteProcess first = client.start(spec);
                RemoteProcess second = client.start(spec);
                RemoteProcess third = client.start(more)) {
            assertThat(first.id()).isNotEqualTo(second.id());
            assertThat(third.id()).isNotEmpty();
        }
        assertThat(server.log())
                .filteredOn(line -> line.startsWith("process/start"))
                .satisfiesExactly(
                        line -> assertThat(line).contains("{\"A\":\"1\"}").contains("\"tty\":false"),
                        line -> assertThat(line).contains("{\"A\":\"1\"}").contains("\"tty\":false"),
                        line -> assertThat(line).contains("\"B\":\"2\"").contains("\"tty\":true"));
    }

    @Test
    void aBuilderCollectsSettings() {
        ProcessSpec spec = ProcessSpec.builder("x")
                .env("A", "1")
                .cwd("/tmp")
                .processId("p")
                .build();
        assertThatThrownBy(() -> spec.toBuilder().cwd("relative")).isInstanceOf(IllegalArgumentException.class);
    }
}
