package dev.execserver.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WebSocketTransportTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private WebSocketPeer server;

    @BeforeEach
    void listen() throws IOException {
        server = new WebSocketPeer();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void theUpgradeHasTheHeadersOfTheProtocolAndNoOthers() throws Exception {
        try (ClientTransport transport = connected(Optional.of("s3cret"))) {
            assertThat(server.requestHead().lines().map(line -> line.replaceFirst(":.*", "")))
                    .containsExactly(
                            "GET / HTTP/1.1",
                            "Host",
                            "Connection",
                            "Upgrade",
                            "Sec-WebSocket-Version",
                            "Sec-WebSocket-Key",
                            "Authorization",
                            "");
            assertThat(server.requestHead()).contains("\r\nAuthorization: Bearer s3cret\r\n");
            assertThat(transport.closeReason()).isEmpty();
        }
    }

    @Test
    void aRefusedUpgradeTellsStatusAndText() throws Exception {
        FutureTask<ClientTransport> opening = open(Optional.of("wrong"));
        server.accept().answer("HTTP/1.1 401 Unauthorized\r\ncontent-length: 7\r\n\r\nmissing");
        assertThatThrownBy(opening::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(UpgradeRefusedException.class, e -> {
                    assertThat(e).hasMessage("HTTP error: 401 missing");
                    assertThat(e.permanent()).isTrue();
                });
    }

    @Test
    void aServerThatSaysNothingIsGivenUpWithinTheLimit() throws Exception {
        WebSocketConnector connector =
                new WebSocketConnector(Endpoint.parse(server.url()), UpgradeHeaders.NONE, Optional.empty());
        assertThatThrownBy(() -> connector.open(Duration.ofMillis(50))).isInstanceOf(IOException.class);
    }

    @Test
    void c115_aServerThatDoesNotAnswerIsNotTakenForOneWithTls() throws Exception {
        for (String scheme : List.of("ws", "wss")) {
            String url = server.url().replaceFirst("ws", scheme);
            WebSocketConnector connector =
                    new WebSocketConnector(Endpoint.parse(url), UpgradeHeaders.NONE, Optional.empty());
            assertThatThrownBy(() -> connector.open(Duration.ofMillis(50)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no answer within 50 ms");
            assertThatThrownBy(() -> connector.open(Duration.ofMillis(1_010))).hasMessage("no answer within 1 s");
        }
    }

    @Test
    void aTokenIsNotSentInTheClearToAnotherMachine() {
        WebSocketConnector connector = new WebSocketConnector(
                Endpoint.parse("ws://192.0.2.1:1"), UpgradeHeaders.NONE.withToken(() -> "s3cret"), Optional.empty());
        assertThatThrownBy(() -> connector.open(LIMIT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("refusing to send the bearer token")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void messagesAreMaskedTextAndLongOnesAreCutIntoFragments() throws Exception {
        try (ClientTransport transport = connected(Optional.empty())) {
            byte[] large = WebSocketPeer.pattern(FrameWriter.FRAGMENT_BYTES + 100);
            FutureTask<Void> sending = start(() -> {
                transport.send(message("hi".getBytes()));
                transport.send(message(WebSocketPeer.pattern(300)));
                transport.send(message(large));
                return null;
            });
            WebSocketPeer.Frame small = server.frame();
            assertThat(small.text()).isEqualTo("hi");
            assertThat(small.masked()).isTrue();
            assertThat(small.opcode()).isEqualTo(FrameWriter.TEXT);
            assertThat(server.message()).isEqualTo(WebSocketPeer.pattern(300));
            WebSocketPeer.Frame first = server.frame();
            assertThat(first.fin()).isFalse();
            assertThat(first.payload()).hasSize(FrameWriter.FRAGMENT_BYTES);
            WebSocketPeer.Frame rest = server.frame();
            assertThat(rest.fin()).isTrue();
            assertThat(rest.opcode()).isEqualTo(FrameWriter.CONTINUATION);
            assertThat(rest.payload()).isEqualTo(WebSocketPeer.slice(large, FrameWriter.FRAGMENT_BYTES, large.length));
            sending.get();
        }
    }

    @Test
    void fragmentsAndControlFramesBetweenThemMakeOneMessage() throws Exception {
        try (ClientTransport transport = connected(Optional.empty())) {
            byte[] whole = WebSocketPeer.pattern(100_000);
            server.send(false, FrameWriter.TEXT, WebSocketPeer.slice(whole, 0, 10));
            server.send(true, FrameWriter.PING, "are you there".getBytes());
            server.send(false, FrameWriter.CONTINUATION, WebSocketPeer.slice(whole, 10, 50_000));
            server.send(true, FrameWriter.CONTINUATION, WebSocketPeer.slice(whole, 50_000, 100_000));
            server.send("next");
            assertThat(transport.receive().orElseThrow()).isEqualTo(whole);
            assertThat(new String(transport.receive().orElseThrow())).isEqualTo("next");
            WebSocketPeer.Frame pong = server.frame();
            assertThat(pong.opcode()).isEqualTo(FrameWriter.PONG);
            assertThat(pong.text()).isEqualTo("are you there");
        }
    }

    @Test
    void c104_pingsWithoutEndAreAnsweredByOneThreadAndOnePong() throws Exception {
        try (ClientTransport transport = connected(Optional.empty())) {
            // The server does not read, so this message is never sent completely, and every pong waits behind it.
            FutureTask<Void> stuck = start(() -> {
                transport.send(message(new byte[32 << 20]));
                return null;
            });
            server.frame(); // the message is in flight
            for (int i = 0; i < 2_000; i++) {
                server.send(true, FrameWriter.PING, Integer.toString(i).getBytes());
            }
            server.send("after the pings");
            assertThat(new String(transport.receive().orElseThrow())).isEqualTo("after the pings");
            assertThat(stuck.isDone()).isFalse();
            WebSocketPeer.Frame frame = server.frame();
            int pongs = 0;
            while (frame.opcode() != FrameWriter.PONG || !frame.text().equals("1999")) {
                pongs += frame.opcode() == FrameWriter.PONG ? 1 : 0;
                frame = server.frame();
            }
            assertThat(pongs).as("pongs for older pings").isLessThanOrEqualTo(1);
        }
    }

    @Test
    void aMessageThatComesWithTheUpgradeIsNotLost() throws Exception {
        FutureTask<ClientTransport> opening = open(Optional.empty());
        server.accept().upgrade();
        server.send("early");
        try (ClientTransport transport = opening.get()) {
            assertThat(new String(transport.receive().orElseThrow())).isEqualTo("early");
        }
    }

    @Test
    void binaryMessagesAreTakenToo() throws Exception {
        try (ClientTransport transport = connected(Optional.empty())) {
            server.send(true, FrameWriter.BINARY, "{}".getBytes());
            assertThat(new String(transport.receive().orElseThrow())).isEqualTo("{}");
        }
    }

    @Test
    void aFrameAboveTheLimitEndsTheConnectionBeforeItIsRead() throws Exception {
        try (ClientTransport transport = connected(Optional.empty())) {
            server.announce(FrameWriter.TEXT, FrameReader.MAX_FRAME_BYTES + 1L);
            assertThatThrownBy(transport::receive)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("16777217");
        }
    }

    @Test
    void aCloseFrameEndsInOrderAndItsReasonIsKept() throws Exception {
        try (ClientTransport transport = connected(Optional.empty())) {
            byte[] payload = new byte[] {0x03, (byte) 0xF0, 'b', 'y', 'e'};
            server.send(true, FrameWriter.CLOSE, payload);
            assertThat(transport.receive()).isEmpty();
            assertThat(transport.closeReason()).contains("1008 bye");
        }
    }

    @Test
    void aSocketThatIsGoneIsAnError() throws Exception {
        try (ClientTransport transport = connected(Optional.empty())) {
            server.drop();
            assertThatThrownBy(transport::receive).isInstanceOf(IOException.class);
        }
    }

    @Test
    void closingWakesTheReceiver() throws Exception {
        ClientTransport transport = connected(Optional.empty());
        FutureTask<Optional<byte[]>> receiving = start(transport::receive);
        transport.close();
        assertThatThrownBy(receiving::get).cause().isInstanceOf(IOException.class);
        assertThat(server.frame().opcode()).isEqualTo(FrameWriter.CLOSE);
    }

    @Test
    void urlsAreTakenApart() {
        assertThat(Endpoint.parse("ws://127.0.0.1:4000")).isEqualTo(new Endpoint(false, "127.0.0.1", 4000, "/"));
        assertThat(Endpoint.parse("wss://[::1]/a?b=c")).isEqualTo(new Endpoint(true, "::1", 443, "/a?b=c"));
        assertThat(Endpoint.parse("wss://[::1]:9/").authority()).isEqualTo("[::1]:9");
        assertThatThrownBy(() -> Endpoint.parse("http://x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Endpoint.parse("ws://user@x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void urlsThatAreNoneAreNamedAsSuch() {
        assertThatThrownBy(() -> Endpoint.parse("127.0.0.1:4000"))
                .hasMessage(
                        "the URL `127.0.0.1:4000` has no scheme; write ws://127.0.0.1:4000, or wss://127.0.0.1:4000 for a"
                                + " server with TLS");
        assertThatThrownBy(() -> Endpoint.parse("localhost:4000")).hasMessageContaining("has no scheme");
        assertThatThrownBy(() -> Endpoint.parse("ws://127.0.0.1:4000 "))
                .hasMessage("the URL `ws://127.0.0.1:4000 ` has a blank in it; write ws://HOST:PORT");
        assertThatThrownBy(() -> Endpoint.parse("ws://127.0.0.1:4000/{x}")).hasMessageContaining("is no URL: Illegal");
    }

    private ClientTransport connected(Optional<String> token) throws Exception {
        FutureTask<ClientTransport> opening = open(token);
        server.accept().upgrade();
        return opening.get();
    }

    private FutureTask<ClientTransport> open(Optional<String> token) {
        Endpoint endpoint = Endpoint.parse(server.url());
        UpgradeHeaders headers =
                token.map(value -> UpgradeHeaders.NONE.withToken(() -> value)).orElse(UpgradeHeaders.NONE);
        return start(() -> new WebSocketConnector(endpoint, headers, Optional.empty()).open(LIMIT));
    }

    private static <T> FutureTask<T> start(java.util.concurrent.Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().name("test-peer").start(task);
        return task;
    }

    private static MessageBuffer message(byte[] payload) {
        MessageBuffer buffer = new MessageBuffer();
        buffer.write(payload);
        return buffer;
    }
}
