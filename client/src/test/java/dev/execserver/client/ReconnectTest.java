package dev.execserver.client;

import static dev.execserver.client.Clients.async;
import static dev.execserver.client.Clients.connect;
import static dev.execserver.client.Clients.failure;
import static dev.execserver.client.Clients.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.RequestTimeoutException;
import dev.execserver.client.error.SessionLostException;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import dev.execserver.protocol.process.StreamKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Section 7 of the protocol. */
@Timeout(60)
class ReconnectTest {

    private final FakeServer server = new FakeServer(Era.C);

    @Test
    void aWriteWhoseAnswerWasLostIsRepeatedWithItsIdAndAppliedOnce() throws Exception {
        try (ExecServerClient client = connect(server);
                RemoteProcess process =
                        client.start(ProcessSpec.of("cat").processId("p").stdin())) {
            server.mute(true);
            FutureTask<Object> write = async(() -> {
                process.write("once".getBytes());
                return "written";
            });
            await().until(() -> server.stdin("p").equals("once"));
            server.cutFor(() -> server.mute(false));
            assertThat(write.get()).isEqualTo("written");
            assertThat(server.stdin("p")).isEqualTo("once");
            List<String> writes = server.log().stream()
                    .filter(line -> line.startsWith("process/write"))
                    .toList();
            assertThat(writes).hasSize(2);
            assertThat(writes.get(0)).isEqualTo(writes.get(1));
            process.write("-twice".getBytes());
            assertThat(server.stdin("p")).isEqualTo("once-twice");
        }
    }

    @Test
    void c05_aServerThatSaysThatItComesToItsEndIsNotLookedForAnyMore() throws Exception {
        try (ExecServerClient client = connect(server);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            server.cut("1001 server is shutting down");

            assertThat(process.waitFor())
                    .isInstanceOfSatisfying(
                            Outcome.Lost.class,
                            lost -> assertThat(lost.reason())
                                    .isEqualTo(
                                            "the server has ended the session and its programs: 1001 server is shutting down"));
            assertThatThrownBy(() -> client.environment().status())
                    .isInstanceOfSatisfying(
                            SessionLostException.class,
                            lost -> assertThat(lost.ended()).isTrue());
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aNewConnectionThatIsSilentLeavesTimeForAnotherOne() throws Exception {
        try (ExecServerClient client = connect(server);
                RemoteProcess process =
                        client.start(ProcessSpec.of("cat").processId("p").stdin())) {
            server.cutFor(() -> server.mute(true));
            await().until(() -> server.connections() == 2);
            await().until(() -> server.log().stream()
                            .filter(line -> line.startsWith("initialize "))
                            .count()
                    == 2);
            server.mute(false);
            process.write("later".getBytes());
            assertThat(server.stdin("p")).isEqualTo("later");
            assertThat(server.connections()).isEqualTo(3);
        }
    }

    @Test
    void c05_aProxyThatGoesAwayIsSurvived() throws Exception {
        try (ExecServerClient client = connect(server);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            server.cut("1001 going away");
            server.output("p", StreamKind.STDOUT, "on");
            assertThat(process.nextEvent()).containsInstanceOf(ProcessEvent.Output.class);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void resumeTakesTheSessionThenSaysInitializedThenReadsFromTheLastEventSeen() throws Exception {
        try (ExecServerClient client = connect(server);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            server.output("p", StreamKind.STDOUT, "a");
            assertThat(text(process.nextEvent())).isEqualTo("a");
            server.cut();
            assertThat(client.processes().read(readFrom("p", 1)).nextSeq()).isEqualTo(2);
            await().until(() -> server.log().stream().filter(this::isFeedRead).count() == 1);
            List<String> log = server.log();
            int resume = log.lastIndexOf("initialize {\"clientName\":\"test\",\"resumeSessionId\":\"SESSION_1\"}");
            assertThat(resume).isPositive();
            assertThat(log.get(resume + 1)).isEqualTo("initialized");
            assertThat(log.subList(resume + 2, log.size()).stream().filter(this::isFeedRead))
                    .containsExactly(
                            "process/read {\"processId\":\"p\",\"afterSeq\":1,\"maxBytes\":524288,\"waitMs\":0}");
        }
    }

    @Test
    void whatHappenedMeanwhileIsReadAndMergedWithWhatIsPushed() throws Exception {
        try (ExecServerClient client = connect(server);
                RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"))) {
            server.output("p", StreamKind.STDOUT, "a");
            server.refuse(3);
            server.busy(2);
            server.cutFor(() -> {
                server.output("p", StreamKind.STDOUT, "b");
                server.exit("p", 4, false);
                server.output("p", StreamKind.STDOUT, "c");
                server.close("p");
            });
            StringBuilder seen = new StringBuilder();
            Outcome outcome = process.forEachEvent(event -> seen.append(
                    switch (event) {
                        case ProcessEvent.Output output -> new String(output.bytes());
                        case ProcessEvent.Exited exited -> "(" + exited.exitCode() + ")";
                        case ProcessEvent.Closed unused -> ".";
                        default -> event.toString();
                    }));
            assertThat(seen.toString()).isEqualTo("ab(4)c.");
            assertThat(outcome).isEqualTo(new Outcome.Exited(4, Optional.empty()));
        }
    }

    @Test
    void aStartWhoseAnswerWasLostFailsAndTheProcessIsEndedAfterTheResume() throws Exception {
        try (ExecServerClient client = connect(server)) {
            server.before("process/start", unused -> server.cut());
            assertThatThrownBy(() -> client.start(ProcessSpec.of("x").processId("p")))
                    .isInstanceOf(ConnectionLostException.class)
                    .hasMessageContaining("process/start");
            await().until(() -> server.log().contains("process/terminate {\"processId\":\"p\"}"));
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void aRequestThatEndsEachConnectionFailsInTheEndAndTheClientLives() throws Exception {
        try (ExecServerClient client = connect(server)) {
            cutAtEach("process/read");
            assertThatThrownBy(() -> client.processes().read(readFrom("none", 0)))
                    .isInstanceOf(ConnectionLostException.class)
                    .hasMessageContaining("process/read");
            assertThat(server.log())
                    .filteredOn(line -> line.startsWith("process/read"))
                    .hasSizeLessThan(25);
            assertThat(client.start(ProcessSpec.of("x").processId("p")).id()).isEqualTo("p");
        }
    }

    private void cutAtEach(String method) {
        server.before(method, unused -> {
            cutAtEach(method);
            server.cut();
        });
    }

    @Test
    void callsThatWereNotSentYetWaitForTheNextConnection() throws Exception {
        try (ExecServerClient client = connect(server)) {
            server.refuse(Integer.MAX_VALUE);
            server.cut();
            await().until(() -> server.refused() > 0);
            FutureTask<RemoteProcess> start =
                    async(() -> client.start(ProcessSpec.of("x").processId("p")));
            FutureTask<Object> read = async(() -> client.processes().read(readFrom("none", 0)));
            server.refuse(0);
            assertThat(start.get().id()).isEqualTo("p");
            assertThat(failure(read)).hasMessageContaining("unknown process id none");
        }
    }

    @Test
    void anUnknownSessionIsTheEndAndLaterCallsFailAtOnce() throws Exception {
        ExecServerClient client = connect(server);
        RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"));
        server.forgetSessions();
        server.cut();
        assertThat(process.waitFor()).isInstanceOf(Outcome.Lost.class);
        assertThat(process.nextEvent()).get().isInstanceOf(ProcessEvent.Lost.class);
        assertThat(process.nextEvent()).isEmpty();
        assertThatThrownBy(() -> client.environment().status())
                .isInstanceOf(SessionLostException.class)
                .hasMessageContaining("unknown session id SESSION_1");
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void anotherClientThatTookTheSessionIsNotFought() throws Exception {
        ExecServerClient client = connect(server);
        server.cut("1008 session has been resumed by another connection");
        await().untilAsserted(
                        () -> assertThatThrownBy(() -> client.environment().status())
                                .isInstanceOf(SessionLostException.class)
                                .hasMessageContaining("another client"));
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void pendingCallsFailWhenTheWindowHasPassed() throws Exception {
        ExecServerClient client = connect(server, options().reconnectWindow(Duration.ofMillis(50)));
        server.refuse(Integer.MAX_VALUE);
        server.cut();
        assertThatThrownBy(() -> client.environment().status())
                .isInstanceOf(ConnectionLostException.class)
                .isNotInstanceOf(SessionLostException.class)
                .hasMessageContaining("not connected again within 50 ms")
                .hasMessageContaining("Connection refused");
    }

    @Test
    void withoutReconnectTheFirstLossIsTheLast() throws Exception {
        ExecServerClient client = connect(server, options().reconnect(false));
        server.cut();
        await().untilAsserted(() ->
                assertThatThrownBy(() -> client.environment().status()).isInstanceOf(ConnectionLostException.class));
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aClosedClientFailsAtOnceAndDoesNotComeBack() throws Exception {
        ExecServerClient client = connect(server);
        RemoteProcess process = client.start(ProcessSpec.of("x").processId("p"));
        client.close();
        assertThat(process.waitFor()).isEqualTo(new Outcome.Lost("closed by this client"));
        assertThatThrownBy(() -> client.environment().status()).isInstanceOf(ConnectionLostException.class);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aRequestThatIsNotAnsweredTimesOutAndItsLateAnswerIsIgnored() throws Exception {
        try (ExecServerClient client = connect(server, options().requestTimeout(Duration.ofMillis(500)))) {
            server.mute(true);
            assertThatThrownBy(() -> client.processes().read(readFrom("p", 0)))
                    .isInstanceOf(RequestTimeoutException.class)
                    .hasMessage("process/read was not answered within 500 ms");
            server.mute(false);
            assertThat(client.start(ProcessSpec.of("x").processId("p")).id()).isEqualTo("p");
        }
    }

    private boolean isFeedRead(String line) {
        return line.startsWith("process/read") && line.contains("524288");
    }

    private static dev.execserver.protocol.process.ReadParams readFrom(String id, long afterSeq) {
        return new dev.execserver.protocol.process.ReadParams(id, afterSeq, java.util.OptionalLong.empty(), 0);
    }

    private static String text(Optional<ProcessEvent> event) {
        return new String(((ProcessEvent.Output) event.orElseThrow()).bytes());
    }
}
