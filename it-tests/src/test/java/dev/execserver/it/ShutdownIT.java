package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a server as its clients see it: last output, exits and closes come before the close frame. */
@Timeout(90)
class ShutdownIT {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    /** Ends the server in the background; the test goes on as its client. */
    private static CompletableFuture<Integer> stopping(ServerProcess server) {
        return CompletableFuture.supplyAsync(server::stop);
    }

    private static void assertGoodbye(WireClient client) {
        WireClient.Ending ending = client.ending(LIMIT);
        assertThat(ending.code()).isEqualTo(1001);
        assertThat(ending.reason()).isEqualTo("server is shutting down");
    }

    @Test
    void c05_whatAProgramSaysInItsGraceAndHowItEndsIsToldBeforeTheGoodbye() {
        try (ServerProcess server = ServerProcess.listening("--shutdown-grace", "20s");
                WireClient client = WireClient.connect(server.port());
                WireClient other = WireClient.connect(server.port())) {
            client.handshake();
            other.handshake();
            List<RemoteProcess> processes = new ArrayList<>();
            for (WireClient each : List.of(client, other)) {
                processes.add(each.start(Start.shell("trap 'echo BYE; sleep 0.5; echo SAVED; exit 5' TERM; echo up;"
                        + " while :; do sleep 0.05; done")));
            }
            processes.forEach(process -> process.awaitText("up"));
            CompletableFuture<Integer> stopped = stopping(server);

            assertGoodbye(client);
            assertGoodbye(other);
            for (RemoteProcess process : processes) {
                assertThat(process.isClosed()).isTrue();
                assertThat(new String(process.events().output("stdout"), UTF_8)).isEqualTo("up\nBYE\nSAVED\n");
                assertThat(process.exited().exitCode()).isEqualTo(5);
            }
            assertThat(stopped.join()).isZero();
        }
    }

    @Test
    void c05_withoutAGraceTheExitsAreToldBeforeTheGoodbye() {
        try (ServerProcess server = ServerProcess.listening("--shutdown-grace", "0");
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            List<RemoteProcess> processes = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Start start = Start.shell("echo up; setsid sleep 61 & sleep 62");
                processes.add(client.start(i % 2 == 0 ? start : start.tty()));
            }
            processes.forEach(process -> process.awaitText("up"));
            CompletableFuture<Integer> stopped = stopping(server);

            assertGoodbye(client);
            for (RemoteProcess process : processes) {
                assertThat(process.isClosed()).isTrue();
                assertThat(process.exited().exitCode()).isEqualTo(137);
                assertThat(process.events().misplaced()).isZero();
            }
            assertThat(stopped.join()).isZero();
        }
    }

    @Test
    void c05_outputThatIsOnItsWayToASlowClientArrivesWhole() {
        try (ServerProcess server = ServerProcess.listening("--shutdown-grace", "20s");
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess process = client.start(Start.shell(
                    "trap 'head -c 3000000 /dev/zero; exit 6' TERM; echo up; while :; do sleep 0.05; done"));
            process.awaitText("up");
            client.stopReading();
            CompletableFuture<Integer> stopped = stopping(server);
            client.resumeReading();

            assertGoodbye(client);
            assertThat(process.events().output("stdout")).hasSize(3_000_003);
            assertThat(process.exited().exitCode()).isEqualTo(6);
            assertThat(stopped.join()).isZero();
        }
    }

    @Test
    void c05_aClientThatPollsIsAnsweredToTheEnd() {
        try (ServerProcess server = ServerProcess.listening("--shutdown-grace", "20s");
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess process =
                    client.start(Start.shell("trap 'echo BYE; exit 7' TERM; echo up; while :; do sleep 0.05; done")
                            .with("push", false));
            StringBuilder text = new StringBuilder();
            CompletableFuture<Integer> stopped = new CompletableFuture<>();
            long cursor = 0;
            JsonNode answer;
            do {
                answer = process.sendRead(cursor, null, 20_000).result();
                text.append(new String(RemoteProcess.bytes(answer), UTF_8));
                cursor = answer.get("nextSeq").longValue() - 1;
                if (text.toString().equals("up\n") && !stopped.isDone()) {
                    stopping(server).thenAccept(stopped::complete);
                }
            } while (!answer.get("closed").booleanValue());

            assertThat(text.toString()).startsWith("up\n").endsWith("BYE\n");
            assertThat(answer.get("exitCode").intValue()).isEqualTo(7);
            assertGoodbye(client);
            assertThat(stopped.join()).isZero();
        }
    }

    @Test
    void c05_duringTheGraceInputIsTakenAndNothingNewBegins() {
        try (ServerProcess server = ServerProcess.listening("--shutdown-grace", "30s");
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess process = client.start(Start.bash(
                            "trap 'echo save?' TERM; echo up; until read -r answer; do :; done; echo got $answer; exit 8")
                    .stdin());
            process.awaitText("up");
            CompletableFuture<Integer> stopped = stopping(server);
            process.awaitText("save?");

            Answer refused = client.sendStart(Start.of("true")).started();
            assertThat(refused.errorCode()).isEqualTo(-32603);
            assertThat(refused.error().path("data").path("reason").asText()).isEqualTo("shuttingDown");
            assertThat(process.write("yes\n")).isEqualTo("accepted");
            assertGoodbye(client);
            assertThat(process.text()).endsWith("got yes\n");
            assertThat(process.exited().exitCode()).isEqualTo(8);
            assertThat(stopped.join()).isZero();
        }
    }

    @Test
    void c06_aStoppedProgramUsesItsGraceToo() {
        try (ServerProcess server = ServerProcess.listening("--shutdown-grace", "30s");
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess process =
                    client.start(Start.shell("trap 'echo HANDLED; exit 3' TERM; echo up; kill -STOP $$; sleep 60"));
            process.awaitText("up");
            CompletableFuture<Integer> stopped = stopping(server);

            assertGoodbye(client);
            assertThat(process.text()).endsWith("HANDLED\n");
            assertThat(process.exited().exitCode()).isEqualTo(3);
            await().until(stopped::isDone);
        }
    }
}
