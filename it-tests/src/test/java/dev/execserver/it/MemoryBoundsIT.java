package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Alone;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RawWebSocket;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory that requests, answers and input of all clients may hold together, on servers that have little of it. */
@Alone
@Timeout(240)
class MemoryBoundsIT {

    private static final int MIB = 1024 * 1024;

    private final List<WireClient> clients = new ArrayList<>();
    private ServerProcess server;

    private void serve(String heap, String... options) {
        server = ServerProcess.listening(List.of(), Map.of("JDK_JAVA_OPTIONS", "-Xmx" + heap), options);
    }

    private WireClient client() {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        clients.add(client);
        return client;
    }

    @AfterEach
    void stop() {
        clients.forEach(WireClient::close);
        server.close();
    }

    private static String reason(Answer answer) {
        return answer.error().path("data").path("reason").textValue();
    }

    @Test
    void inputThatNoProgramReadsIsBoundedForTheWholeServerAndGivenBack() {
        serve("256m", "--request-memory-bytes", "16MiB");
        WireClient client = client();
        byte[] chunk = new byte[256 * 1024];
        List<RemoteProcess> deaf = new ArrayList<>();
        Answer refused = null;
        for (int i = 0; i < 3; i++) {
            RemoteProcess process = client.start(Start.of("sleep", "100").stdin());
            deaf.add(process);
            for (int writes = 0; writes < 10 && refused == null; writes++) {
                Answer answer = process.sendWrite(chunk).answer();
                refused = answer.failed() ? answer : null;
            }
        }
        assertThat(refused).isNotNull();
        assertThat(refused.errorCode()).isEqualTo(-32603);
        assertThat(reason(refused)).isEqualTo("inputMemory");
        assertThat(refused.errorMessage()).contains("--request-memory-bytes");

        deaf.forEach(RemoteProcess::terminate);
        deaf.forEach(RemoteProcess::closed);
        RemoteProcess cat = client.start(Start.of("cat").stdin());
        assertThat(cat.sendWrite(chunk).answer().failed()).isFalse();
    }

    @Test
    void sessionsThatHaveEndedLeaveNothingBehind() {
        serve("128m");
        for (int i = 0; i < 150; i++) {
            try (WireClient client = WireClient.connect(server.port())) {
                client.handshake();
                client.start(Start.shell("head -c 1000000 /dev/zero")).closed(Duration.ofSeconds(30));
                client.call("session/end");
            }
        }
        assertThat(client().start(Start.shell("echo lives")).awaitText("lives")).contains("lives");
    }

    @Test
    void aProcessThatIsAskedToEndAgainAndAgainTakesNoMoreMemory() {
        serve("128m");
        WireClient client = client();
        RemoteProcess stubborn = client.start(Start.shell("trap '' TERM; echo ready; while :; do sleep 1; done"));
        stubborn.awaitText("ready");
        for (int i = 0; i < 160; i++) {
            List<Call> calls = new ArrayList<>();
            for (int j = 0; j < 500; j++) {
                calls.add(stubborn.send("process/terminate", "graceMs", 86_400_000));
            }
            calls.forEach(call ->
                    assertThat(call.answer(Duration.ofSeconds(60)).failed()).isFalse());
        }
        stubborn.terminate();
        stubborn.closed();
    }

    @Test
    void moreInputThanTheHeapIsLargeDoesNotEndTheServer() {
        serve("256m");
        WireClient client = client();
        byte[] large = new byte[10 * MIB];
        int refused = 0;
        for (int i = 0; i < 12; i++) {
            RemoteProcess process = client.start(Start.of("sleep", "100").stdin());
            List<Call> writes = List.of(process.sendWrite(large), process.sendWrite(large), process.sendWrite(large));
            for (Call write : writes) {
                refused += write.answer(Duration.ofSeconds(60)).failed() ? 1 : 0;
            }
        }
        assertThat(refused).isBetween(30, 36);
        assertThat(client.start(Start.shell("echo lives")).awaitText("lives")).contains("lives");
    }

    @Test
    void manyLargeReadsAtOnceAreAllAnsweredThoughTogetherTheyNeedMoreThanThereIs() {
        serve("256m");
        WireClient client = client();
        List<RemoteProcess> loud = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            loud.add(client.start(Start.shell("head -c 6000000 /dev/zero").with("push", false)));
        }
        loud.forEach(process -> process.closed(Duration.ofSeconds(30)));
        List<Call> reads =
                loud.stream().map(process -> process.sendRead(0, null, 0)).toList();
        reads.forEach(
                read -> assertThat(read.answer(Duration.ofSeconds(20)).failed()).isFalse());
    }

    @Test
    void aPeerThatAsksAndDoesNotReadCostsLittleMemoryAndOthersAreAnswered() throws IOException {
        serve("128m");
        WireClient other = client();
        byte[] request = "{\"id\":1,\"method\":\"environment/status\"}".getBytes(StandardCharsets.UTF_8);
        try (RawWebSocket greeted = flooded(true, request);
                RawWebSocket stranger = flooded(false, request)) {
            other.assertServed();
            assertThat(ProcFs.residentKiB(server.pid())).isLessThan(400 << 10);
            assertThat(other.start(Start.shell("echo lives")).awaitText("lives"))
                    .contains("lives");
        }
    }

    /** A connection that has sent requests until the server took no more of them. */
    private RawWebSocket flooded(boolean greeted, byte[] request) throws IOException {
        RawWebSocket socket = RawWebSocket.connect(server.port(), Map.of());
        if (greeted) {
            String hello = "{\"id\":0,\"method\":\"initialize\",\"params\":{\"clientName\":\"flood\"}}";
            socket.send(true, RawWebSocket.TEXT, hello.getBytes(StandardCharsets.UTF_8));
            socket.send(true, RawWebSocket.TEXT, "{\"method\":\"initialized\"}".getBytes(StandardCharsets.UTF_8));
        }
        AtomicLong sent = new AtomicLong();
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    socket.send(true, RawWebSocket.TEXT, request);
                    sent.incrementAndGet();
                }
            } catch (IOException closed) {
                sent.set(-1);
            }
        });
        AtomicLong seen = new AtomicLong(-1);
        await("no more is taken")
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> seen.getAndSet(sent.get()) == sent.get());
        assertThat(sent.get())
                .as("requests sent before the server stopped reading")
                .isPositive();
        return socket;
    }

    @Test
    void answersThatNobodyReadsAreBoundedForTheWholeServer() {
        serve("256m");
        for (int i = 0; i < 2; i++) {
            WireClient stalled = client();
            RemoteProcess loud =
                    stalled.start(Start.shell("head -c 16777216 /dev/zero").with("push", false));
            loud.closed();
            stalled.stopReading();
            for (int reads = 0; reads < 20; reads++) {
                loud.sendRead(0, null, 0);
            }
        }
        WireClient other = client();
        RemoteProcess process =
                other.start(Start.shell("head -c 4000000 /dev/zero").with("push", false));
        process.closed();
        long bytes = 0;
        long cursor = 0;
        while (bytes < 4_000_000) {
            Answer answer = process.sendRead(cursor, null, 0).answer(Duration.ofSeconds(30));
            if (answer.failed()) {
                assertThat(reason(answer)).isEqualTo("answerMemory");
                clients.removeFirst().cut(); // one peer fewer that holds memory
            } else {
                JsonNode read = answer.result();
                bytes += RemoteProcess.bytes(read).length;
                cursor = read.get("nextSeq").longValue() - 1;
            }
        }
        assertThat(bytes).isEqualTo(4_000_000);
        assertThat(server.alive()).isTrue();
    }

    @Test
    void whatABusyTimeHasLeftBehindIsGivenBackWhenTheServerRests() throws IOException {
        serve("2g");
        client().roundTrip();
        long before = ProcFs.residentKiB(server.pid());
        List<RawWebSocket> unfinished = new ArrayList<>();
        byte[] piece = "x".repeat(7 * MIB).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20; i++) {
            RawWebSocket socket = RawWebSocket.connect(server.port(), Map.of());
            socket.send(false, RawWebSocket.TEXT, piece);
            unfinished.add(socket);
        }
        await("so long that the heap is looked at meanwhile")
                .during(Duration.ofSeconds(3))
                .atMost(Duration.ofSeconds(30))
                .until(() -> ProcFs.residentKiB(server.pid()) > before + (100 << 10));
        for (RawWebSocket socket : unfinished) {
            socket.reset();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> ProcFs.residentKiB(server.pid()) < before + (70 << 10));
    }

    @Test
    void b21_writeIdsOfAnyLengthCostLittleMemory() {
        serve("192m");
        WireClient client = client();
        RemoteProcess process = client.start(Start.of("cat").stdin());
        String stem = "i".repeat(200_000);
        String chunk = Base64.getEncoder().encodeToString(new byte[] {'x'});
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            calls.add(process.send("process/write", "chunk", chunk, "writeId", stem + i));
            if (calls.size() == 20) {
                calls.forEach(call -> assertThat(call.answer().failed()).isFalse());
                calls.clear();
            }
        }
        process.send("process/write", "chunk", chunk, "writeId", stem + 1_999).answer();
        await().atMost(Duration.ofSeconds(20)).until(() -> process.text().length() >= 2_000);
        assertThat(process.write("y")).isEqualTo("accepted");
        assertThat(process.awaitText("y")).hasSize(2_001);
    }

    @Test
    void theArgumentsOfProcessesThatAreRememberedAreBounded() {
        serve("256m", "--request-memory-bytes", "16MiB");
        WireClient client = client();
        String[] argv = {"true", "a".repeat(100_000), "b".repeat(100_000)};
        Answer refused = null;
        int started = 0;
        for (; started < 40 && refused == null; started++) {
            Answer answer = client.sendStart(Start.of(argv)).started();
            refused = answer.failed() ? answer : null;
        }
        assertThat(started).isBetween(5, 20);
        assertThat(reason(refused)).isEqualTo("inputMemory");
    }
}
