package dev.execserver.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.server.TimeScaledRetry;
import dev.execserver.server.proxy.rules.ProxyBounds;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the HTTP side of a proxy on real sockets. */
@Timeout(60)
class HttpProxyTest {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Name: caf\u00e9\r\n\r\nhi";

    private final ProxyScene scene = new ProxyScene();
    private final List<String> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() throws Exception {
        scene.close();
    }

    private String get(int port, String more) throws IOException {
        return scene.exchange(
                "GET http://127.0.0.1:" + port + "/x?y HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n" + more + "\r\n");
    }

    @Test
    void aRequestIsForwardedWithoutWhatConcernsTheProxy() throws IOException {
        int port = scene.httpServer(received, OK);
        String answer = get(
                port,
                "Proxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: keep-alive\r\nConnection: close, X-Hop\r\n"
                        + "X-Hop: 1\r\nTE: trailers\r\nX-Kept: caf\u00e9\r\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 200 OK\r\n")
                .endsWith("\r\n\r\nhi")
                .contains("X-Name: caf\u00e9\r\n");
        assertThat(received)
                .containsExactly("GET /x?y HTTP/1.1\r\nHost: 127.0.0.1:" + port
                        + "\r\nX-Kept: caf\u00e9\r\nConnection: close\r\n\r\n");
        assertThat(scene.decisions).singleElement().satisfies(decision -> {
            assertThat(decision.decision()).isEqualTo("allow");
            assertThat(decision.source()).isEqualTo("baseline_policy");
            assertThat(decision.method()).contains("GET");
            assertThat(decision.client().orElseThrow()).startsWith("127.0.0.1:");
        });
    }

    @Test
    void aConnectionCarriesRequestsToDifferentHostsEachJudgedByItself() throws IOException {
        int one = scene.httpServer(received, OK);
        try (Socket socket = scene.http()) {
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream()
                        .write(ProxyScene.bytes("POST http://127.0.0.1:" + one + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + one
                                + "\r\nContent-Length: 0\r\n\r\n"));
                assertThat(ProxyScene.head(socket.getInputStream())).startsWith("HTTP/1.1 200");
                assertThat(ProxyScene.text(socket.getInputStream().readNBytes(2)))
                        .isEqualTo("hi");
            }
            socket.getOutputStream()
                    .write(ProxyScene.bytes("GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n"));
            assertThat(ProxyScene.head(socket.getInputStream())).startsWith("HTTP/1.1 403");
        }
        assertThat(received).hasSize(3);
    }

    @Test
    void aRefusalHasTheDocumentedHeaderAndBody() throws IOException {
        scene.domains = Map.of("bad.example", DomainRule.DENY);
        String denied = scene.exchange("GET http://bad.example/ HTTP/1.1\r\nHost: bad.example\r\n\r\n");
        assertThat(denied)
                .startsWith("HTTP/1.1 403 Forbidden\r\n")
                .contains("\r\nx-proxy-error: blocked-by-denylist\r\n", "\r\ncontent-type: application/json\r\n")
                .endsWith(
                        "{\"status\":\"blocked\",\"host\":\"bad.example\",\"reason\":\"denied\",\"decision\":\"deny\","
                                + "\"source\":\"baseline_policy\",\"protocol\":\"http\",\"port\":80,"
                                + "\"message\":\"Domain denied by the sandbox policy.\",\"rule\":\"`bad.example` denies it\","
                                + "\"change\":{\"domains\":{\"bad.example\":\"none\",\"bad.example:80\":\"allow\"}},"
                                + "\"explanation\":\"bad.example:80 is refused: `bad.example` denies it; to allow it: "
                                + "{\\\"domains\\\":{\\\"bad.example\\\":\\\"none\\\",\\\"bad.example:80\\\":\\\"allow\\\"}} "
                                + "in networkProxy.proxy\"}");
        assertThat(scene.exchange("CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n"))
                .startsWith("HTTP/1.1 403 Forbidden\r\n")
                .contains("\r\nx-proxy-error: blocked-by-allowlist\r\n")
                .endsWith(
                        "\r\n\r\nDomain not in allowlist.\nother.example:443 is refused: no rule allows it; to allow it: "
                                + "{\"domains\":{\"other.example:443\":\"allow\"}} in networkProxy.proxy\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n",
                "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: +3\r\n\r\n",
                "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 3, 3\r\n\r\n",
                "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n",
                "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nTransfer-Encoding: \u000bchunked\r\n\r\n",
                "POST http://127.0.0.1:1/ HTTP/1.0\r\nHost: 127.0.0.1:1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost : 127.0.0.1:1\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\n Host: 127.0.0.1:1\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nX: a\r\n b\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nHost: 127.0.0.1:1\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: other.example\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:2\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\nHost: 127.0.0.1:1\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nX: a\rb\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nX: a\0b\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nConnection: Host\r\n\r\n",
                "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 1\r\nConnection: content-length\r\n\r\nx",
                "GET  http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n",
                "GET http://127.0.0.1:1/ HTTP/2.0\r\nHost: 127.0.0.1:1\r\n\r\n",
                "GET https://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n",
                "GET http://127.0.0.1:99999/ HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n",
                "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
                "CONNECT 127.0.0.1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                "\u0016\u0003\u0001\r\n\r\n"
            })
    void whatCouldBeReadInTwoWaysIsRefusedAndNeverForwarded(String request) throws IOException {
        assertThat(scene.exchange(request)).startsWith("HTTP/1.1 400 Bad Request\r\n");
        assertThat(scene.decisions).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1;ext=1\r\nx\r\n0\r\n\r\n",
                "0x1\r\nx\r\n0\r\n\r\n",
                "1\nx\r\n0\r\n\r\n",
                "1\r\nxy\r\n0\r\n\r\n",
                "-1\r\n"
            })
    void aChunkedBodyThatIsNotPlainBreaksTheExchange(String body) throws IOException {
        int port = scene.server((in, out) -> {
            received.add(ProxyScene.head(in));
            in.transferTo(java.io.OutputStream.nullOutputStream());
        });
        String answer = scene.exchange("POST http://127.0.0.1:" + port + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
        assertThat(answer).doesNotContain("200");
    }

    @Test
    void aChunkedBodyArrivesWholeBothWays() throws IOException {
        int port = scene.server((in, out) -> {
            received.add(ProxyScene.head(in));
            received.add(ProxyScene.text(in.readNBytes("5\r\nhello\r\n0\r\n\r\n".length())));
            out.write(ProxyScene.bytes(
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "2\r\nab\r\n0\r\nX-Trailer: dropped\r\n\r\n"));
        });
        String answer = scene.exchange("POST http://127.0.0.1:" + port + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")
                .endsWith("\r\n\r\n2\r\nab\r\n0\r\n\r\n");
        assertThat(received.get(1)).isEqualTo("5\r\nhello\r\n0\r\n\r\n");
    }

    @Test
    void aHeadHasItsLimit() throws IOException {
        scene.bounds = bounds(Duration.ofMinutes(1), 1024);
        int port = scene.httpServer(received, OK);
        String start = "GET http://127.0.0.1:" + port + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nConnection: close\r\nX: ";
        int room = 1024 - start.length() - 2;
        assertThat(scene.exchange(start + "a".repeat(room) + "\r\n\r\n")).startsWith("HTTP/1.1 200");
        assertThat(scene.exchange(start + "a".repeat(room + 1) + "\r\n\r\n")).startsWith("HTTP/1.1 400");
    }

    private static ProxyBounds bounds(Duration idle, int headBytes) {
        return bounds(Duration.ofSeconds(30), idle, headBytes);
    }

    private static ProxyBounds bounds(Duration head, Duration idle, int headBytes) {
        return new ProxyBounds(
                8,
                10,
                headBytes,
                head,
                head,
                idle,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                2,
                2);
    }

    @Test
    void aPeerThatSendsItsHeadDripByDripIsCutOff() throws Exception {
        scene.bounds = bounds(Duration.ofMillis(700), Duration.ofMinutes(1), 1024);
        try (Socket socket = scene.http()) {
            Thread drip = Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        socket.getOutputStream().write('G');
                        Thread.yield();
                        java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
                    }
                } catch (IOException e) {
                    // the proxy has closed the connection
                }
            });
            assertThat(drip.join(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void aTunnelWithoutAByteEndsAfterTheIdleLimitAndOneWithBytesDoesNot() throws Exception {
        TimeScaledRetry.from(Duration.ofMillis(200), idle -> {
            try (ProxyScene own = new ProxyScene()) {
                own.bounds = bounds(idle, 1024);
                int port = own.server((in, out) -> in.transferTo(out));
                Socket socket = own.http();
                connect(socket, port);
                long end = System.nanoTime() + idle.toNanos() * 2;
                while (System.nanoTime() < end) {
                    socket.getOutputStream().write('x');
                    assertThat(socket.getInputStream().read()).isEqualTo('x');
                    java.util.concurrent.locks.LockSupport.parkNanos(idle.toNanos() / 10);
                }
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
        });
    }

    private static void connect(Socket socket, int port) throws IOException {
        socket.getOutputStream()
                .write(ProxyScene.bytes("CONNECT 127.0.0.1:" + port + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
        assertThat(ProxyScene.head(socket.getInputStream())).isEqualTo("HTTP/1.1 200 OK\r\n\r\n");
    }

    @Test
    void aTunnelPassesOnTheEndOfOneDirection() throws IOException {
        int port = scene.server((in, out) -> {
            byte[] all = in.readAllBytes();
            out.write(all);
            out.write(ProxyScene.bytes(" and more"));
        });
        try (Socket socket = scene.http()) {
            connect(socket, port);
            socket.getOutputStream().write(ProxyScene.bytes("everything"));
            socket.shutdownOutput();
            assertThat(ProxyScene.text(socket.getInputStream().readAllBytes())).isEqualTo("everything and more");
        }
    }

    @Test
    void anUpgradeBecomesATunnel() throws IOException {
        int port = scene.server((in, out) -> {
            received.add(ProxyScene.head(in));
            out.write(
                    ProxyScene.bytes("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + "Sec-WebSocket-Accept: x\r\n\r\n!"));
            in.transferTo(out);
        });
        try (Socket socket = scene.http()) {
            socket.getOutputStream()
                    .write(ProxyScene.bytes("GET http://127.0.0.1:" + port + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + port
                            + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n"));
            assertThat(ProxyScene.head(socket.getInputStream()))
                    .startsWith("HTTP/1.1 101 ")
                    .contains("Upgrade: websocket");
            assertThat(socket.getInputStream().read()).isEqualTo('!');
            socket.getOutputStream().write('z');
            assertThat(socket.getInputStream().read()).isEqualTo('z');
        }
        assertThat(received.getFirst()).contains("Connection: Upgrade\r\n", "Upgrade: websocket\r\n");
    }

    @Test
    void limitedModeOnlyReads() throws IOException {
        scene.mode = ProxyMode.LIMITED;
        int port = scene.httpServer(received, OK);
        assertThat(get(port, "Connection: close\r\n")).startsWith("HTTP/1.1 200");
        String authority = "127.0.0.1:" + port;
        assertThat(scene.exchange("POST http://" + authority + "/ HTTP/1.1\r\nHost: " + authority + "\r\n\r\n"))
                .startsWith("HTTP/1.1 403")
                .contains("blocked-by-method-policy");
        assertThat(scene.exchange("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n"))
                .startsWith("HTTP/1.1 403")
                .contains("blocked-by-mitm-required");
        assertThat(get(port, "Connection: Upgrade\r\nUpgrade: websocket\r\n"))
                .startsWith("HTTP/1.1 403")
                .contains("blocked-by-method-policy");
        assertThat(received).hasSize(1);
    }

    @Test
    void aHostThatDoesNotAnswerIsABadGateway() throws IOException {
        int port = scene.server((in, out) -> ProxyScene.head(in));
        assertThat(get(port, "")).startsWith("HTTP/1.1 502 Bad Gateway\r\n").contains("upstream failure: ");
        int garbage = scene.server((in, out) -> out.write(ProxyScene.bytes("SSH-2.0-x\r\n")));
        assertThat(get(garbage, "")).startsWith("HTTP/1.1 502 Bad Gateway\r\n");
    }

    @Test
    void connectionsAreBoundedAndFurtherOnesWaitTheirTurn() throws IOException {
        scene.bounds = bounds(Duration.ofMinutes(1), 1024);
        int port = scene.server((in, out) -> in.transferTo(out));
        List<Socket> held = new java.util.ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Socket socket = scene.http();
            connect(socket, port);
            held.add(socket);
        }
        Socket next = scene.http();
        next.getOutputStream().write(ProxyScene.bytes("CONNECT 127.0.0.1:" + port + " HTTP/1.1\r\nHost: x\r\n\r\n"));
        await().during(Duration.ofMillis(300)).until(() -> scene.proxy().connections() == 8);
        held.getFirst().close();
        assertThat(ProxyScene.head(next.getInputStream())).startsWith("HTTP/1.1 200");
    }

    @Test
    void allProcessesTogetherHaveABoundToo() throws IOException {
        scene.bounds = new ProxyBounds(
                8,
                2,
                1024,
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                2,
                2);
        int port = scene.server((in, out) -> in.transferTo(out));
        Socket one = scene.http();
        connect(one, port);
        connect(scene.http(), port);
        try (Socket third = scene.http()) {
            assertThat(third.getInputStream().read()).isEqualTo(-1);
        }
        one.close();
        await().until(() -> scene.proxy().connections() == 1);
        connect(scene.http(), port);
    }

    @Test
    void theEndOfTheProcessEndsItsConnections() throws IOException {
        int port = scene.server((in, out) -> in.transferTo(out));
        try (Socket socket = scene.http()) {
            connect(socket, port);
            scene.proxy().close();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        await().until(() -> scene.proxy().connections() == 0);
    }

    @Test
    void theProxyOfTheServersEnvironmentIsUsedWhenThatIsAllowed() throws IOException {
        int port = scene.httpServer(received, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        scene.upstream = true;
        scene.domains = Map.of("*.example", DomainRule.ALLOW);
        scene.names.put("proxy.local", List.of(java.net.InetAddress.ofLiteral("127.0.0.1")));
        scene.upstreams = (tunnel, host, wanted) -> host.startsWith("direct")
                ? Optional.empty()
                : Optional.of(new UpstreamProxies.Upstream("proxy.local", port, Optional.of("Basic abc")));
        assertThat(scene.exchange("GET http://a.example/x HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        try (Socket socket = scene.http()) {
            socket.getOutputStream()
                    .write(ProxyScene.bytes("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n"));
            assertThat(ProxyScene.head(socket.getInputStream())).startsWith("HTTP/1.1 200");
        }
        assertThat(received.get(0))
                .startsWith("GET http://a.example/x HTTP/1.1\r\n")
                .contains("Proxy-Authorization: Basic abc\r\n");
        assertThat(received.get(1))
                .startsWith("CONNECT a.example:443 HTTP/1.1\r\n")
                .contains("Proxy-Authorization: Basic abc\r\n");
    }
}
