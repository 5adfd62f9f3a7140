package dev.execserver.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.net.DomainRule;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a process that knows the proxy and tries to get past its lists. All hosts are allowed but {@code bad.example}
 * and 8.8.8.8.
 */
@Timeout(60)
class HostileRequestTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

    private final ProxyScene scene = new ProxyScene();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private int port;

    @BeforeEach
    void allowEverythingButOne() throws IOException {
        scene.domains = Map.of(
                "*", DomainRule.ALLOW,
                "127.0.0.1", DomainRule.ALLOW,
                "bad.example", DomainRule.DENY,
                "8.8.8.8", DomainRule.DENY);
        port = scene.httpServer(received, OK);
    }

    @AfterEach
    void end() throws Exception {
        scene.close();
    }

    private String get(String target, String host) throws IOException {
        return scene.exchange("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    }

    private static String status(String answer) {
        return answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 403".length());
    }

    @ParameterizedTest
    @CsvSource({
        "bad.example, 403",
        "BAD.EXAMPLE, 403",
        "bad.example., 403",
        "bad.example.., 400",
        ".bad.example, 400",
        "bad..example, 400",
        "bad%2eexample, 400",
        "b\u00d0\u00b0d.example, 400",
        "bad.example%00.good.example, 400",
        "user@bad.example, 403",
        "good.example@bad.example, 403",
        "bad.example\\@good.example, 403",
        "bad.example\\.good.example, 403",
        "bad.example?@good.example, 403",
        "bad.example#@good.example, 400",
        "[bad.example], 400",
        "bad.example;good.example, 400",
        "bad.example:80:80, 400",
        "bad.example:+80, 400",
        "bad.example:0, 400"
    })
    void aDeniedNameStaysDeniedInEverySpelling(String authority, String expected) throws IOException {
        scene.names.put("good.example", List.of(InetAddress.ofLiteral("127.0.0.1")));
        String named = authority.substring(authority.lastIndexOf('@') + 1);
        for (String host : List.of(authority, named, "bad.example")) {
            String answer = get("http://" + authority + "/", host);
            // A proxy may also refuse a Host header that differs from the target.
            assertThat(status(answer)).as(host).isIn(expected, "400");
        }
        assertThat(received).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "8.8.8.8.",
                "[::ffff:8.8.8.8]",
                "[::ffff:808:808]",
                "[64:ff9b::808:808]",
                "[64:ff9b::8.8.8.8]",
                "[2002:808:808::1]",
                "[::8.8.8.8]",
                "dns.example"
            })
    void aDeniedAddressStaysDeniedInEverySpelling(String host) throws IOException {
        scene.names.put("dns.example", List.of(InetAddress.ofLiteral("8.8.8.8")));
        assertThat(get("http://" + host + ":81/", host + ":81"))
                .startsWith("HTTP/1.1 403")
                .contains("\"reason\":\"denied\"");
    }

    @Test
    void oneBadAddressAmongGoodOnesIsEnough() throws IOException {
        scene.names.put(
                "many.example", List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("64:ff9b::808:808")));
        assertThat(get("http://many.example:" + port + "/", "many.example:" + port))
                .startsWith("HTTP/1.1 403");
        assertThat(received).isEmpty();
    }

    @Test
    void theSecondOfTwoRequestsInOnePieceIsJudgedToo() throws IOException {
        String answer = scene.exchange("GET http://127.0.0.1:" + port + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\n\r\nGET http://bad.example/ HTTP/1.1\r\nHost: bad.example\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200").contains("HTTP/1.1 403");
        assertThat(received).hasSize(1);
    }

    @Test
    void whatFollowsARefusedTunnelIsNoRequest() throws IOException {
        String answer =
                scene.exchange("CONNECT bad.example:443 HTTP/1.1\r\nHost: bad.example\r\n\r\nGET http://127.0.0.1:"
                        + port + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain("200");
        assertThat(received).isEmpty();
    }

    @Test
    void aRequestHiddenInABodyStaysABody() throws IOException {
        String hidden = "GET http://bad.example/ HTTP/1.1\r\nHost: bad.example\r\n\r\n";
        int reader = scene.server((in, out) -> {
            received.add(ProxyScene.head(in));
            received.add(ProxyScene.text(in.readNBytes(hidden.length())));
            out.write(ProxyScene.bytes(OK));
        });
        String answer = scene.exchange("POST http://127.0.0.1:" + reader + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + reader
                + "\r\nConnection: close\r\nContent-Length: " + hidden.length() + "\r\n\r\n" + hidden);
        assertThat(answer).startsWith("HTTP/1.1 200").endsWith("hi");
        assertThat(received.get(1)).isEqualTo(hidden);
        assertThat(scene.decisions).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n",
                "Connection: Upgrade, Host\r\nUpgrade: websocket\r\n",
                "Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n"
            })
    void anUpgradeThatIsNoneIsRefused(String fields) throws IOException {
        assertThat(scene.exchange("GET http://127.0.0.1:" + port + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n"
                        + fields + "\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(received).isEmpty();
    }

    @Test
    void aHostThatSwitchesUnaskedOpensNoTunnel() throws IOException {
        int switching = scene.server((in, out) -> {
            received.add(ProxyScene.head(in));
            out.write(ProxyScene.bytes("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"));
            received.add(ProxyScene.text(in.readAllBytes()));
        });
        // An Upgrade header that no Connection header names does not ask for a switch, and is not passed on.
        assertThat(scene.exchange("GET http://127.0.0.1:" + switching + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + switching
                        + "\r\nUpgrade: x\r\n\r\nGET http://bad.example/ HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 502");
        assertThat(received.getFirst()).doesNotContain("Upgrade");
    }

    @Test
    void aRefusedUpgradeIsAnOrdinaryAnswerAndNoTunnel() throws IOException {
        String answer = scene.exchange(
                "GET http://127.0.0.1:" + port + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + port
                        + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET http://bad.example/ HTTP/1.1\r\nHost: bad.example\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200").contains("HTTP/1.1 403");
        assertThat(received).hasSize(1);
    }
}
