package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Event;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Times after which the server itself ends a process: total, silence, a held pipe, a polite end. */
@Timeout(60)
class LimitsIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private final String mark = UUID.randomUUID().toString();
    private WireClient client;

    @BeforeEach
    void connect() {
        client = SERVER.client();
    }

    @Test
    void b13_aTimeoutEndsTheWholeTreeAndKeepsTheOutput() {
        long sent = System.nanoTime();
        RemoteProcess process = client.start(
                Start.shell("echo partial; sleep 30; echo x").mark(mark).with("timeoutMs", 1_000));
        Event exited = process.exited();

        assertThat(since(sent, exited)).isGreaterThan(Duration.ofMillis(950));
        assertThat(reason(exited)).isEqualTo("timeout");
        process.closed();
        assertThat(process.text()).isEqualTo("partial\n");
        assertThat(RemoteProcess.bytes(process.read())).asString().isEqualTo("partial\n");
        assertThat(ProcFs.marked(mark)).isEmpty();
    }

    @Test
    void b13_aClientThatOnlyPollsLearnsTheReasonToo() {
        RemoteProcess process =
                client.start(Start.of("sleep", "30").with("timeoutMs", 300).with("push", false));
        process.closed();
        assertThat(process.read().get("reason").textValue()).isEqualTo("timeout");
    }

    @Test
    void b13_aTimeoutThatIsNotReachedIsNotMentioned() {
        RemoteProcess process = client.start(Start.of("true").with("timeoutMs", 60_000));

        assertThat(process.exited().params().has("reason")).isFalse();
    }

    @Test
    void b14_aSilentProgramEndsAfterItsIdleTime() {
        long sent = System.nanoTime();
        RemoteProcess process = client.start(Start.shell("echo one; sleep 30").with("idleTimeoutMs", 700));
        Event exited = process.exited();

        assertThat(since(sent, exited)).isGreaterThan(Duration.ofMillis(650));
        assertThat(reason(exited)).isEqualTo("idle");
    }

    @Test
    void b14_aProgramThatPrintsNowAndThenLives() {
        RemoteProcess process = client.start(
                Start.shell("for i in 1 2 3 4 5 6; do echo $i; sleep 0.6; done").with("idleTimeoutMs", 3_000));

        assertThat(process.exited().exitCode()).isZero();
        assertThat(process.exited().params().has("reason")).isFalse();
    }

    @Test
    void closedDoesNotWaitLongerThanCloseGraceForAHeldPipeAndSaysSo() {
        long sent = System.nanoTime();
        RemoteProcess process = client.start(Start.bash("sleep 30 & echo done").with("closeGraceMs", 300));
        process.exited();
        Event closed = process.closed();

        assertThat(since(sent, closed)).isGreaterThan(Duration.ofMillis(250));
        assertThat(closed.params().size())
                .as("says that it detached: %s", closed.params())
                .isGreaterThan(2);
        assertThat(process.text()).isEqualTo("done\n");
        process.terminate();
    }

    @Test
    void graceMsSendsTermFirst() {
        RemoteProcess process =
                client.start(Start.bash("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.05; done"));
        process.awaitText("ready");
        process.send("process/terminate", "graceMs", 5_000).result();

        assertThat(process.exited().exitCode()).isEqualTo(5);
        process.closed();
        assertThat(process.text()).endsWith("bye\n");
    }

    @Test
    void graceMsKillsWhatIgnoresTerm() {
        RemoteProcess process = client.start(Start.shell("trap '' TERM; echo ready; while :; do sleep 0.05; done")
                .mark(mark));
        process.awaitText("ready");
        process.send("process/terminate", "graceMs", 400).result();

        assertThat(process.exited().exitCode()).isEqualTo(137);
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void anAnswerToTerminateWithGraceDoesNotWaitForTheDeath() {
        RemoteProcess process = client.start(Start.shell("trap '' TERM; echo ready; sleep 60"));
        process.awaitText("ready");

        assertThat(process.send("process/terminate", "graceMs", 30_000).answer().failed())
                .isFalse();
        process.terminate();
        process.closed();
    }

    private static String reason(Event exited) {
        return exited.params().path("reason").asText();
    }

    /** At least; the answer to the start may be late, what was sent before it is not. */
    private static Duration since(long sentNanos, Event event) {
        return Duration.ofNanos(event.nanos() - sentNanos);
    }
}
