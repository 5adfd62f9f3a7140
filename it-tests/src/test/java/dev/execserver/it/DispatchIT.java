package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests beside each other: who waits for whom, what precedes what, who sees whose processes. */
@Timeout(60)
class DispatchIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private WireClient client;

    @BeforeEach
    void connect() {
        client = SERVER.client();
    }

    @Test
    void b19_aLongPollDelaysNoOtherRequest() {
        RemoteProcess process = client.start(Start.of("sleep", "20"));
        Call poll = process.sendRead(0, null, 30_000);
        Call info = client.send("environment/info", Json.object());

        info.result();
        assertThat(poll.answered()).isFalse();
    }

    @Test
    void manyLongPollsDelayNeitherOrdinaryNorControlRequests() {
        RemoteProcess process = client.start(Start.of("sleep", "20"));
        List<Call> polls = IntStream.range(0, 300)
                .mapToObj(i -> process.sendRead(0, null, 20_000))
                .toList();

        client.assertServed();
        assertThat(process.terminate()).isTrue();
        assertThat(polls)
                .allSatisfy(poll ->
                        assertThat(poll.result().get("exited").booleanValue()).isTrue());
    }

    @Test
    void b42_threeHundredLiveProcessesDoNotStarveANewRequest() {
        List<RemoteProcess> live = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            live.add(client.sendStart(Start.of("sleep", "60").stdin()));
        }
        live.forEach(process -> process.started().result());

        client.assertServed();
        live.forEach(process -> process.send("process/terminate"));
        live.forEach(RemoteProcess::closed);
    }

    @Test
    void theAnswerToStartPrecedesEveryNotificationOfTheProcess() {
        List<RemoteProcess> processes = IntStream.range(0, 200)
                .mapToObj(i -> client.sendStart(Start.of("echo", "quick")))
                .toList();

        assertThat(processes).allSatisfy(process -> {
            process.closed();
            assertThat(process.started().arrival())
                    .isLessThan(process.events().all().getFirst().arrival());
        });
    }

    @Test
    void requestsInEveryStageOfManyStartsDoNotLockEachOtherOut() {
        for (int round = 0; round < 20; round++) {
            WireClient own = SERVER.client();
            List<Call> reads = IntStream.range(0, 16)
                    .mapToObj(i -> {
                        RemoteProcess process = own.sendStart(Start.of("cat").stdin());
                        process.sendWrite(new byte[] {'x'});
                        return process.sendRead(0, null, 10_000);
                    })
                    .toList();

            for (Call read : reads) {
                assertThat(RemoteProcess.bytes(read.result())).hasSize(1);
            }
        }
    }

    @Test
    void aTerminateSentRightBehindTheStartEndsTheProcess() {
        String mark = UUID.randomUUID().toString();
        RemoteProcess process = client.sendStart(Start.of("sleep", "60").mark(mark));
        Call terminate = process.send("process/terminate");

        assertThat(terminate.result().get("running").booleanValue()).isTrue();
        process.started();
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void aSecondStartWithTheSameIdIsRefused() {
        RemoteProcess first = client.start(Start.of("sleep", "20").id("taken"));
        Answer second = client.sendStart(Start.of("true").id("taken")).started();

        assertThat(second.errorCode()).isEqualTo(-32600);
        assertThat(second.errorMessage()).isEqualTo("process taken already exists");
        first.terminate();
    }

    @Test
    void anEmptyProcessIdIsAnIdLikeAnyOther() {
        RemoteProcess process = client.start(Start.of("true").id(""));

        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void connectionsDoNotSeeEachOthersProcesses() {
        WireClient other = SERVER.client();
        RemoteProcess mine = client.start(Start.of("sleep", "20").id("same"));
        RemoteProcess theirs = other.start(Start.of("sh", "-c", "exit 9").id("same"));

        assertThat(theirs.exited().exitCode()).isEqualTo(9);
        theirs.closed();
        assertThat(mine.read().get("exited").booleanValue()).isFalse();
        assertThat(other.call("process/read", "processId", mine.id() + "x").errorMessage())
                .isEqualTo("unknown process id samex");
        assertThat(mine.events().all()).isEmpty();
    }

    @Test
    void listNamesTheProcessesOfTheSession() {
        client.start(Start.of("sleep", "20").id("alive"));
        client.start(Start.of("true").id("finished")).closed();

        JsonNode processes = client.call("process/list").result().get("processes");
        assertThat(processes.findValuesAsText("processId")).containsExactlyInAnyOrder("alive", "finished");
    }

    @Test
    void listOfANewSessionIsEmpty() {
        assertThat(client.call("process/list").result().get("processes")).isEmpty();
    }

    @Test
    void interruptReachesTheWholeGroup() {
        String mark = UUID.randomUUID().toString();
        RemoteProcess process = client.start(Start.shell("sleep 30; exit 0").mark(mark));
        // dash loses a SIGINT that comes between its vfork and the child's exec, so the child must be there first.
        await().atMost(Duration.ofSeconds(15))
                .until(() -> ProcFs.marked(mark).stream()
                        .anyMatch(pid -> ProcFs.commandLine(pid).equals(List.of("sleep", "30"))));
        assertThat(process.signal("interrupt").result()).isEmpty();

        assertThat(process.exited().exitCode()).isEqualTo(130);
        assertThat(ProcFs.marked(mark)).isEmpty();
    }

    @Test
    void signalsHaveNames() {
        RemoteProcess process = client.start(
                Start.bash("trap 'echo usr1' USR1; trap 'echo hup' HUP; echo ready; while :; do sleep 0.05; done"));
        process.awaitText("ready");
        process.signal("USR1").result();
        process.awaitText("usr1");
        process.signal("SIGHUP").result();
        process.awaitText("hup");
        process.signal("TERM").result();

        assertThat(process.exited().exitCode()).isEqualTo(143);
    }

    @Test
    void anUnknownSignalNameIsAnInvalidParameter() {
        RemoteProcess process = client.start(Start.of("sleep", "20"));

        assertThat(process.signal("NOSUCH").errorCode()).isEqualTo(-32602);
    }

    @Test
    void aSignalToAnUnknownProcessIsHarmless() {
        assertThat(client.call("process/signal", "processId", "nobody", "signal", "interrupt")
                        .result())
                .isEmpty();
    }

    @Test
    void aLostConnectionEndsItsProcessesWhenItsSessionMayNotOutliveIt() {
        String mark = UUID.randomUUID().toString();
        WireClient doomed = SERVER.silentClient();
        doomed.call("initialize", "clientName", "it-tests", "sessionTtlMs", 0).result();
        doomed.notify("initialized", Json.object());
        doomed.start(Start.bash("setsid sleep 50 & sleep 51").mark(mark));
        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).size() >= 2);
        doomed.cut();

        await().atMost(Duration.ofSeconds(15)).until(() -> ProcFs.marked(mark).isEmpty());
        client.assertServed();
    }
}
