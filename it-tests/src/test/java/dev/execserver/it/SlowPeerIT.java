package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Alone;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RawWebSocket;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Peers that are silent, stall half-way or do not read: the server stays small and the others notice nothing. */
@Alone
@Timeout(90)
class SlowPeerIT {
    private static final long PRODUCED = 256L << 20;
    private static final int STUCK_PEERS = 500;
    private static final int READS = 300;
    private static final int STARTS_BESIDE = 40;
    private static final Duration HANG = Duration.ofSeconds(60);

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private WireClient bystander;

    @BeforeEach
    void connect() {
        bystander = SERVER.client();
    }

    @Test
    void b20_aPeerThatStopsReadingHoldsItsProducerAndLosesNoByte() {
        WireClient slow = SERVER.client().countOnly();
        RemoteProcess warmUp = slow.start(Start.of("head", "-c", "50000000", "/dev/zero"));
        warmUp.closed(Duration.ofSeconds(20));
        long before = ProcFs.residentKiB(SERVER.pid());

        slow.stopReading();
        RemoteProcess producer = slow.sendStart(Start.of("head", "-c", Long.toString(PRODUCED), "/dev/zero"));
        await().pollInterval(Duration.ofMillis(200))
                .during(Duration.ofSeconds(4))
                .atMost(Duration.ofSeconds(30))
                .until(() -> ProcFs.residentKiB(SERVER.pid()) - before < 32 << 10
                        && bystander.roundTrip().compareTo(Duration.ofMillis(500)) < 0);
        assertThat(producer.isClosed()).isFalse();

        slow.resumeReading();
        producer.closed(Duration.ofSeconds(60));
        assertThat(producer.events().bytes()).isEqualTo(PRODUCED);
        assertThat(producer.events().misplaced()).isZero();
    }

    @Test
    void aTerminateOnAnotherConnectionIsNotHeldUp() {
        WireClient slow = SERVER.client().countOnly();
        slow.stopReading();
        slow.sendStart(Start.of("head", "-c", Long.toString(PRODUCED), "/dev/zero"));
        RemoteProcess process = bystander.start(Start.of("sleep", "30"));

        assertThat(process.terminate()).isTrue();
        assertThat(process.exited().exitCode()).isEqualTo(137);
    }

    /** Cached files are read by the thread that reads the connection; it must not be lost to a client that does not read. */
    @Test
    void aTerminateIsHeardBehindAnswersThatTheClientDoesNotRead(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[64 << 10]);
        WireClient slow = SERVER.client();
        RemoteProcess process = slow.start(Start.of("sleep", "300"));
        long pid = slow.call("process/list").result().at("/processes/0/pid").asLong();
        assertThat(ProcFs.alive(pid)).isTrue();
        slow.stopReading();
        List<Call> reads = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            reads.add(slow.send("fs/readFile", Json.object("path", file.toUri().toString())));
        }
        Call terminate = process.send("process/terminate");

        await().atMost(Duration.ofSeconds(20)).until(() -> !ProcFs.alive(pid));
        slow.resumeReading();
        for (Call read : reads) {
            assertThat(read.result().get("dataBase64").asText()).hasSize(87_384);
        }
        assertThat(terminate.result().get("running").asBoolean()).isTrue();
    }

    /** The bound of a start catches a hang: behind 150,000 requests the first one takes 3 s of an idle machine, the others 10 ms. */
    @Test
    @Timeout(300)
    void manyPeersThatTakeNoAnswersLeaveTheServerSmallAndOthersAreServed(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[64 << 10]);
        byte[] read = Json.object(
                        "id",
                        2,
                        "method",
                        "fs/readFile",
                        "params",
                        Json.object("path", file.toUri().toString()))
                .toString()
                .getBytes(UTF_8);
        List<RawWebSocket> stuck = new ArrayList<>();
        long before = ProcFs.residentKiB(SERVER.pid());
        try {
            for (int i = 0; i < STUCK_PEERS; i++) {
                stuck.add(greeted());
            }
            for (RawWebSocket peer : stuck) {
                for (int i = 0; i < READS; i++) {
                    peer.send(true, RawWebSocket.TEXT, read);
                }
            }
            for (int i = 0; i < STARTS_BESIDE; i++) {
                RemoteProcess process = bystander.sendStart(Start.of("true"));
                process.closed(HANG);
                assertThat(process.exited().exitCode()).isZero();
                assertThat(ProcFs.residentKiB(SERVER.pid()) - before)
                        .as("KiB more than before")
                        .isLessThan(512 << 10);
            }
        } finally {
            for (RawWebSocket peer : stuck) {
                peer.reset();
            }
        }
    }

    /** A connection that has done the handshake, and reads nothing any more. */
    private static RawWebSocket greeted() throws IOException {
        RawWebSocket socket = RawWebSocket.connect(SERVER.port(), Map.of());
        String hello = "{\"id\":1,\"method\":\"initialize\",\"params\":{\"clientName\":\"stuck\"}}";
        socket.send(true, RawWebSocket.TEXT, hello.getBytes(UTF_8));
        assertThat(new String(socket.read().payload(), UTF_8)).contains("sessionId");
        socket.send(true, RawWebSocket.TEXT, "{\"method\":\"initialized\"}".getBytes(UTF_8));
        return socket;
    }

    @Test
    void peersThatConnectAndSayNothingCostNothing() throws IOException {
        List<RawWebSocket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                silent.add(RawWebSocket.open(SERVER.port()));
                silent.add(RawWebSocket.connect(SERVER.port(), Map.of()));
            }

            bystander.assertServed();
            assertThat(bystander.start(Start.of("true")).exited().exitCode()).isZero();
        } finally {
            for (RawWebSocket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void lengthsThatAreDeclaredAndNeverSentCostNoMemory() throws IOException {
        bystander.roundTrip();
        long before = ProcFs.residentKiB(SERVER.pid());
        List<RawWebSocket> liars = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                RawWebSocket liar = RawWebSocket.connect(SERVER.port(), Map.of());
                liar.sendHeaderOnly(RawWebSocket.TEXT, 16 << 20);
                liars.add(liar);
            }
            bystander.assertServed();

            assertThat(ProcFs.residentKiB(SERVER.pid()) - before).isLessThan(64 << 10);
        } finally {
            for (RawWebSocket socket : liars) {
                socket.close();
            }
        }
    }

    @Test
    void halfAnUpgradeAndGarbageInsteadOfOneHarmNobody() throws IOException {
        try (RawWebSocket half = RawWebSocket.open(SERVER.port());
                RawWebSocket garbage = RawWebSocket.open(SERVER.port())) {
            half.sendBytes("GET / HTTP/1.1\r\nHost: x\r\nUpg".getBytes(UTF_8));
            garbage.sendBytes(new byte[] {0x16, 0x03, 0x01, 0, 5, 1, 0, 0, 1, 3, '\r', '\n', '\r', '\n'});

            bystander.assertServed();
        }
    }
}
