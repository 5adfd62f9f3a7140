package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs that are stopped, by a signal or by Ctrl-Z: they get to act on the end that is asked of them. */
@Timeout(90)
class StoppedProgramsIT {
    /** Nobody waits so long: a program that acts on SIGTERM ends at once, within the limits of the tests. */
    private static final int LONG_GRACE_MS = 80_000;

    private static final String STOPPED_WITH_HANDLER =
            "trap 'echo HANDLED; exit 3' TERM; echo up; kill -STOP $$; while :; do sleep 0.05; done";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private final String mark = UUID.randomUUID().toString();
    private WireClient client;

    @BeforeEach
    void connect() {
        client = SERVER.client();
    }

    private RemoteProcess stopped(Start start) {
        RemoteProcess process = client.start(start);
        process.awaitText("up");
        await("it has stopped")
                .atMost(Duration.ofSeconds(15))
                .until(() -> client.call("process/list")
                        .result()
                        .get("processes")
                        .valueStream()
                        .anyMatch(row -> row.get("processId").asText().equals(process.id())
                                && row.path("stopped").asBoolean()));
        return process;
    }

    private static void terminate(RemoteProcess process, int graceMs) {
        process.send("process/terminate", "graceMs", graceMs).result();
    }

    @Test
    void c06_aStoppedProgramActsOnTheTermOfAGrace() {
        RemoteProcess process = stopped(Start.shell(STOPPED_WITH_HANDLER));
        terminate(process, LONG_GRACE_MS);
        assertThat(process.exited().exitCode()).isEqualTo(3);
        process.closed();
        assertThat(process.text()).isEqualTo("up\nHANDLED\n");
    }

    @Test
    void c06_aStoppedProgramOnATerminalToo() {
        RemoteProcess process = stopped(Start.shell(STOPPED_WITH_HANDLER).tty());
        terminate(process, LONG_GRACE_MS);
        assertThat(process.exited().exitCode()).isEqualTo(3);
        assertThat(process.text()).contains("HANDLED");
    }

    @Test
    void c06_aStoppedProgramInASandboxToo() {
        RemoteProcess process = client.start(
                Start.shell(STOPPED_WITH_HANDLER).with("sandbox", Policies.workspaceWrite(Path.of("/tmp"))));
        process.awaitText("up");
        terminate(process, LONG_GRACE_MS);
        assertThat(process.exited().exitCode()).isEqualTo(3);
        assertThat(process.text()).contains("HANDLED");
    }

    @Test
    void c06_aJobThatWasStoppedByCtrlZActsOnTheTermOfAGrace() {
        RemoteProcess shell = client.start(
                Start.of("bash", "--norc", "--noprofile", "-i").tty().mark(mark));
        shell.write("sh -c 'trap \"echo HAND''LED; exit\" TERM; echo re''ady; while :; do sleep 0.05; done'\n");
        shell.awaitText("ready");
        shell.write("\u001a");
        shell.awaitText("Stopped");
        terminate(shell, 5_000); // an interactive bash ignores SIGTERM
        shell.awaitText("HANDLED");
        assertThat(shell.exited().exitCode()).isEqualTo(137);
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void c06_aChildInASessionOfItsOwnIsAskedToo() {
        RemoteProcess process = client.start(Start.bash(
                        "trap 'wait; exit 4' TERM;"
                                + " setsid sh -c 'trap \"echo CHILD; exit\" TERM; echo up; while :; do sleep 0.05; done' & wait")
                .mark(mark));
        process.awaitText("up");
        terminate(process, LONG_GRACE_MS);
        assertThat(process.exited().exitCode()).isEqualTo(4);
        process.closed();
        assertThat(new String(process.events().output("stdout"), UTF_8)).isEqualTo("up\nCHILD\n");
    }

    @Test
    void c06_aHandlerRunsOnceThoughTheWholeTreeIsAsked() {
        RemoteProcess process = client.start(Start.shell(
                "trap 'n=$((n+1)); echo asked $n' TERM; echo up; while [ -z \"$n\" ]; do sleep 0.05; done; sleep 0.5"));
        process.awaitText("up");
        terminate(process, LONG_GRACE_MS);
        process.closed(Duration.ofSeconds(20));
        assertThat(new String(process.events().output("stdout"), UTF_8)).isEqualTo("up\nasked 1\n");
    }

    @Test
    void c06_theTimeLimitsEndAStoppedProgram() {
        for (String limit : new String[] {"timeoutMs", "idleTimeoutMs"}) {
            RemoteProcess process =
                    client.start(Start.shell("echo up; kill -STOP $$; sleep 60").with(limit, 600));
            assertThat(process.exited().exitCode()).as(limit).isEqualTo(137);
            assertThat(process.exited().params().path("reason").asText())
                    .isEqualTo(limit.equals("timeoutMs") ? "timeout" : "idle");
        }
    }

    @Test
    void aTimeLimitOfZeroIsNone() {
        RemoteProcess process = client.start(Start.shell("echo up; read -r go; exit 6")
                .stdin()
                .with("timeoutMs", 0)
                .with("idleTimeoutMs", 0));
        process.awaitText("up");
        process.write("go\n");
        assertThat(process.exited().exitCode()).isEqualTo(6);
        assertThat(process.exited().params().has("reason")).isFalse();
    }

    @Test
    void aStoppedProgramIsListedAsSuchUntilItGoesOn() {
        RemoteProcess process = stopped(Start.shell("echo up; kill -STOP $$; echo on; sleep 60"));
        process.signal("CONT");
        process.awaitText("on");
        assertThat(client.call("process/list").result().get("processes").get(0).has("stopped"))
                .isFalse();
        process.terminate();
    }
}
