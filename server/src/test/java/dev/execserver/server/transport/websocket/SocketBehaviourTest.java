package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.server.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses, socket options, many writers. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class SocketBehaviourTest {
    @Test
    void urlNamesTheRealPort() throws Exception {
        try (WebSocketServer server =
                WebSocketServer.start("127.0.0.1", 0, WebSocketOptions.DEFAULT, EchoServer::serve)) {
            assertThat(server.url()).isEqualTo("ws://127.0.0.1:" + server.port());
            assertThat(server.port()).isPositive();
        }
    }

    @Test
    void ipv6StandsInBrackets() throws Exception {
        try (WebSocketServer server = WebSocketServer.start("::1", 0, WebSocketOptions.DEFAULT, EchoServer::serve)) {
            assertThat(server.url()).isEqualTo("ws://[::1]:" + server.port());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "::1, [::1]:80",
        "::, [::]:80",
        "2001:db8:0:0:1:0:0:1, [2001:db8::1:0:0:1]:80",
        "fe80::1, [fe80::1]:80",
        "1:2:3:4:5:6:7:8, [1:2:3:4:5:6:7:8]:80",
        "1:0:3:4:5:6:7:8, [1:0:3:4:5:6:7:8]:80",
        "127.0.0.1, 127.0.0.1:80"
    })
    void addressesAreWrittenAsPeopleWriteThem(String literal, String text) {
        assertThat(SocketHelpers.text(new InetSocketAddress(InetAddress.ofLiteral(literal), 80)))
                .isEqualTo(text);
    }

    @Test
    void addressInUseIsTold() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertThatThrownBy(() -> WebSocketServer.start(
                            "127.0.0.1", taken.getLocalPort(), WebSocketOptions.DEFAULT, EchoServer::serve))
                    .isInstanceOfSatisfying(
                            ListenException.class,
                            e -> assertThat(e.addressInUse()).isTrue())
                    .hasMessage("Address in use (os error 98)");
        }
    }

    @Test
    void foreignAddressIsTold() {
        assertThatThrownBy(() -> WebSocketServer.start("192.0.2.1", 0, WebSocketOptions.DEFAULT, EchoServer::serve))
                .isInstanceOf(ListenException.class)
                .hasMessage("Cannot assign requested address (os error 99)");
    }

    @Test
    void acceptedSocketsSendSmallPacketsAtOnce() throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                SocketChannel accepted = listener.accept()) {
            assertThat(client.isConnected()).isTrue();
            new PendingConnections(WebSocketOptions.DEFAULT.room(), Duration.ofSeconds(1)).configureSocket(accepted);
            assertThat(accepted.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
        }
    }

    @Test
    void twoSmallWritesArriveWithoutWaitingForAnAcknowledgement() throws Exception {
        // A peer that also sends delays its acknowledgements by up to 40 ms, see TCP_QUICKACK in tcp(7). A write behind
        // unacknowledged data would wait for them. Twenty pairs would take most of a second, every time.
        try (PeerServer server = PeerServer.start(WebSocketOptions.DEFAULT);
                RawClient client = RawClient.upgraded(server.port())) {
            Transport transport = server.nextTransport();
            PeerServer.write(transport, new byte[] {'w'});
            client.readData();
            await("one of several times, where a machine is busy")
                    .pollInterval(Duration.ofMillis(1))
                    .until(
                            () -> twentyPairs(server, transport, client),
                            took -> took.compareTo(Duration.ofMillis(700)) < 0);
        }
    }

    private static Duration twentyPairs(PeerServer server, Transport transport, RawClient client) throws IOException {
        long begin = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            client.text("please");
            server.nextMessage();
            PeerServer.write(transport, new byte[] {'a'});
            PeerServer.write(transport, new byte[] {'b'});
            client.readData();
            client.readData();
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Test
    void b44_sixteenThreadsWriteAndEveryFrameStaysWholeAndInOrder() throws Exception {
        int threads = 16;
        int messages = 500;
        try (PeerServer server = PeerServer.start(WebSocketOptions.DEFAULT);
                RawClient client = RawClient.upgraded(server.port())) {
            Transport transport = server.nextTransport();
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int id = i;
                writers.add(Thread.startVirtualThread(() -> {
                    for (int n = 0; n < messages; n++) {
                        String text = id + ":" + n + ":" + "x".repeat(n * 7 % 3000);
                        PeerServer.write(transport, text.getBytes(StandardCharsets.UTF_8));
                    }
                }));
            }
            int[] next = new int[threads];
            for (int i = 0; i < threads * messages; i++) {
                String[] parts = client.readData().text().split(":", 3);
                int id = Integer.parseInt(parts[0]);
                assertThat(Integer.parseInt(parts[1])).isEqualTo(next[id]);
                assertThat(parts[2]).hasSize(next[id] * 7 % 3000);
                next[id]++;
            }
            for (Thread writer : writers) {
                writer.join();
            }
        }
    }

    @Test
    void transportKnowsItsPeerAndWhenItSpokeLast() throws IOException {
        try (PeerServer server = PeerServer.start(WebSocketOptions.DEFAULT);
                RawClient client = RawClient.upgraded(server.port())) {
            Transport transport = server.nextTransport();
            assertThat(transport.describe()).isEqualTo("websocket 127.0.0.1:" + client.socket.getLocalPort());
            long before = System.nanoTime();
            client.text("x");
            server.nextMessage();
            assertThat(transport.lastInboundNanos() - before).isPositive();
        }
    }
}
