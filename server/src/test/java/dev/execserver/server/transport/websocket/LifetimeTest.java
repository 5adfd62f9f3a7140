package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.server.TimeScaledRetry;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.Transport;
import dev.execserver.server.transport.websocket.WebSocketOptions.Room;
import dev.execserver.server.transport.websocket.WebSocketOptions.Times;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keep-alive, detection of dead peers, closing and refusal of connections, with shortened times. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LifetimeTest {
    private static final Times TIMES = WebSocketOptions.DEFAULT.times();

    /** Times for peers that do not answer a close. */
    private static final Times QUICK = TIMES.withClose(Duration.ofMillis(300));

    private PeerServer server;

    @AfterEach
    void stop() {
        server.close();
    }

    private RawClient start(Times times) throws IOException {
        return start(WebSocketOptions.DEFAULT.with(times));
    }

    private RawClient start(WebSocketOptions options) throws IOException {
        if (server != null) {
            server.close(); // of the previous attempt
        }
        server = PeerServer.start(options);
        return RawClient.upgraded(server.port());
    }

    private static WebSocketOptions twoAtMost() {
        Room room = WebSocketOptions.DEFAULT.room();
        return WebSocketOptions.DEFAULT.with(QUICK).with(new Room(2, room.received(), room.descriptors()));
    }

    @Test
    void serverPingsAndKeepsAPeerThatAnswers() throws Exception {
        TimeScaledRetry.from(Duration.ofMillis(300), dead -> {
            try (RawClient client = start(QUICK.withKeepAlive(dead.dividedBy(8), dead))) {
                long begin = System.nanoTime();
                while (System.nanoTime() - begin < dead.toNanos() * 2) {
                    RawClient.Frame frame = client.read();
                    assertThat(frame.opcode()).isEqualTo(RawClient.PING);
                    assertThat(frame.payload()).isEmpty();
                    client.frame(true, RawClient.PONG, new byte[0]);
                }
                assertThat(server.server().connections()).isEqualTo(1);
            }
        });
    }

    @Test
    void b27_peerThatNeverAnswersIsDropped() throws Exception {
        try (RawClient client = start(QUICK.withKeepAlive(Duration.ofMillis(50), Duration.ofMillis(300)))) {
            Transport transport = server.nextTransport();
            assertThat(server.nextEnded()).isSameAs(transport);
            assertThatThrownBy(() -> PeerServer.write(transport, new byte[1])).hasMessageContaining("closed");
            assertThat(client.socket.isClosed()).isFalse();
        }
    }

    @Test
    void b27_peerThatStopsReadingAndAnsweringIsDroppedAndItsWriterWakes() throws Exception {
        try (RawClient client = start(QUICK.withKeepAlive(Duration.ofMillis(50), Duration.ofMillis(400)))) {
            CountDownLatch stopped = PeerServer.flood(server.nextTransport());
            assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
            server.nextEnded();
            assertThat(client.socket.isClosed()).isFalse();
        }
    }

    @Test
    void slowReaderThatStillSpeaksIsKept() throws Exception {
        TimeScaledRetry.from(Duration.ofMillis(300), dead -> {
            try (RawClient client = start(QUICK.withKeepAlive(dead.dividedBy(6), dead))) {
                CountDownLatch stopped = PeerServer.flood(server.nextTransport());
                long begin = System.nanoTime();
                // the client reads nothing, but sends a pong now and then (RFC 6455 section 5.5.3 allows unsolicited
                // ones)
                while (System.nanoTime() - begin < dead.toNanos() * 7 / 3) {
                    client.frame(true, RawClient.PONG, new byte[0]);
                    assertThat(stopped.await(dead.toMillis() / 6, TimeUnit.MILLISECONDS))
                            .isFalse();
                }
                for (int i = 0; i < 20; i++) {
                    assertThat(client.readMessage()).hasSize(1024 * 1024);
                }
            }
        });
    }

    @Test
    void readerIsNotHeldUpByABlockedWriter() throws Exception {
        try (RawClient client = start(QUICK)) {
            PeerServer.flood(server.nextTransport());
            for (int i = 0; i < 200; i++) {
                client.frame(true, RawClient.PING, new byte[] {(byte) i});
            }
            client.text("heard although you cannot write");
            assertThat(new String(server.nextMessage(), StandardCharsets.UTF_8)).startsWith("heard");
            // the pongs come between two frames once the client reads; of a flood perhaps only the latest ones
            List<Integer> pongs = new ArrayList<>();
            while (pongs.isEmpty() || pongs.getLast() != 199) {
                RawClient.Frame frame = client.read();
                if (frame.opcode() == RawClient.PONG) {
                    pongs.add(frame.payload()[0] & 0xFF);
                }
            }
            assertThat(pongs).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void closeTellsThePeerWhyAndEndsTheReader() throws Exception {
        try (RawClient client = start(TIMES)) {
            Transport transport = server.nextTransport();
            transport.close(CloseReason.POLICY.because("taken over"));
            RawClient.Frame frame = client.readData();
            assertThat(frame.closeCode()).isEqualTo(1008);
            assertThat(frame.closeText()).isEqualTo("taken over");
            client.close(1008, "");
            assertThat(client.ended()).isTrue();
            assertThat(server.nextEnded()).isSameAs(transport);
        }
    }

    @Test
    void messagesAfterOurCloseAreDropped() throws Exception {
        try (RawClient client = start(TIMES)) {
            Transport transport = server.nextTransport();
            transport.close(CloseReason.NORMAL);
            assertThatThrownBy(() -> PeerServer.write(transport, new byte[1])).hasMessageContaining("closed");
            client.readData();
            client.text("too late");
            client.close(1000, "");
            server.nextEnded();
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void peerThatIgnoresOurCloseIsDroppedAfterTheCloseTimeout() throws Exception {
        try (RawClient client = start(QUICK)) {
            Transport transport = server.nextTransport();
            long begin = System.nanoTime();
            transport.close(CloseReason.NORMAL);
            server.nextEnded();
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofMillis(250), Duration.ofSeconds(20));
            assertThat(client.readData().opcode()).isEqualTo(RawClient.CLOSE);
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void closeWakesAWriterThatIsBlockedBehindASlowPeer() throws Exception {
        try (RawClient client = start(QUICK)) {
            Transport transport = server.nextTransport();
            CountDownLatch stopped = PeerServer.flood(transport);
            client.text("sync");
            server.nextMessage();
            transport.close(CloseReason.NORMAL);
            assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
            server.nextEnded();
        }
    }

    @Test
    void peerThatVanishesEndsReaderAndWriter() throws Exception {
        RawClient client = start(QUICK);
        CountDownLatch stopped = PeerServer.flood(server.nextTransport());
        client.close();
        assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
        server.nextEnded();
        await().until(() -> server.server().connections() == 0);
    }

    @Test
    void shutdownSays1001ToEverybodyAndIsBoundedInTime() throws Exception {
        try (RawClient polite = start(QUICK);
                RawClient rude = RawClient.upgraded(server.port());
                RawClient silent = RawClient.connect(server.port())) {
            server.nextTransport();
            server.nextTransport();
            Thread answering = Thread.startVirtualThread(() -> {
                try {
                    assertThat(polite.readData().closeCode()).isEqualTo(1001);
                    polite.close(1001, "");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            long begin = System.nanoTime();
            server.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
            answering.join();
            assertThat(rude.readData().closeCode()).isEqualTo(1001);
            assertThat(rude.ended()).isTrue();
            assertThat(silent.ended()).isTrue();
        }
    }

    @Test
    void drainingServerRefusesUpgradesAndStillAnswersHealthChecks() throws Exception {
        try (RawClient client = start(QUICK);
                RawClient late = RawClient.connect(server.port());
                RawClient probe = RawClient.connect(server.port())) {
            server.server().stopAccepting();
            RawClient.Answer answer = late.request(RawClient.upgradeRequest());
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo("server is shutting down");
            assertThat(probe.request("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").status())
                    .isEqualTo(200);
            client.text("still served");
            assertThat(server.nextMessage()).hasSize(12);
        }
    }

    @Test
    void oneConnectionTooManyIsRefusedUntilAnotherEnds() throws Exception {
        try (RawClient first = start(twoAtMost());
                RawClient second = RawClient.upgraded(server.port());
                RawClient third = RawClient.connect(server.port())) {
            RawClient.Answer answer = third.request(RawClient.upgradeRequest());
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo("too many connections");
            first.close();
            await().until(() -> server.server().connections() == 1);
            await().ignoreExceptions()
                    .untilAsserted(() -> RawClient.upgraded(server.port()).close());
            assertThat(second.socket.isClosed()).isFalse();
        }
    }

    @Test
    void peersThatSayNothingOrOnlyHalfARequestAreDroppedAndHurtNobody() throws Exception {
        TimeScaledRetry.from(Duration.ofMillis(400), limit -> {
            List<RawClient> lazy = new ArrayList<>();
            try (RawClient client = start(QUICK.withRequest(limit))) {
                for (int i = 0; i < 600; i++) {
                    RawClient peer = RawClient.connect(server.port());
                    lazy.add(peer);
                    if (i % 2 == 0) {
                        peer.raw("GET / HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));
                    }
                }
                client.text("served meanwhile");
                assertThat(server.nextMessage()).hasSize(16);
                RawClient.upgraded(server.port()).close();
                for (RawClient peer : lazy) {
                    assertThat(peer.ended()).isTrue();
                }
            } finally {
                for (RawClient peer : lazy) {
                    peer.close();
                }
            }
        });
    }

    @Test
    void upgradedPeerIsNotHeldToTheHttpTimeout() throws Exception {
        TimeScaledRetry.from(Duration.ofMillis(100), limit -> {
            Times times = QUICK.withRequest(limit).withKeepAlive(limit.multipliedBy(3), Duration.ofSeconds(9));
            try (RawClient client = start(times)) {
                assertThat(client.read().opcode()).isEqualTo(RawClient.PING);
                assertThat(client.read().opcode()).isEqualTo(RawClient.PING);
            }
        });
    }

    @Test
    void failedHandlerClosesWith1011() throws Exception {
        server = PeerServer.start(WebSocketOptions.DEFAULT);
        try (WebSocketServer broken =
                        WebSocketServer.start("127.0.0.1", 0, WebSocketOptions.DEFAULT.with(QUICK), transport -> {
                            throw new IllegalStateException("expected by a test");
                        });
                RawClient client = RawClient.upgraded(broken.port())) {
            assertThat(client.readData().closeCode()).isEqualTo(1011);
        }
    }
}
