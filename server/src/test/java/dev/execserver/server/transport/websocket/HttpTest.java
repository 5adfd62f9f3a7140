package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.CapabilityToken;
import dev.execserver.server.transport.websocket.WebSocketOptions.Access;
import dev.execserver.server.transport.websocket.WebSocketOptions.Http;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP on the port of the WebSocket: health checks, refused upgrades, the guard against web pages. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class HttpTest {
    private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

    private WebSocketServer server;

    @AfterEach
    void stop() {
        server.close();
    }

    private void start(WebSocketOptions options) {
        server = EchoServer.start(options);
    }

    private static WebSocketOptions withToken(String sha256) {
        return WebSocketOptions.DEFAULT.with(new Access(CapabilityToken.fromSha256(sha256), true, Optional.empty()));
    }

    private RawClient.Answer ask(String firstLine, String... headers) throws IOException {
        StringBuilder request = new StringBuilder(firstLine + " HTTP/1.1\r\nHost: localhost\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        try (RawClient client = RawClient.connect(server.port())) {
            return client.request(request + "\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /readyz, 200", "HEAD /readyz, 200", "GET /healthz, 200", "GET /livez, 200", "HEAD /livez, 200",
        "POST /readyz, 405", "DELETE /healthz, 405", "PUT /livez, 405", "GET /else, 404", "POST /, 404",
        "GET /readyz/, 404", "GET /readyz?x=1, 200", "HEAD /, 404"
    })
    void endpointAnswersWithoutBody(String request, int status) throws Exception {
        start(withToken("0".repeat(64)));
        RawClient.Answer answer = ask(request);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.head().toLowerCase(Locale.ROOT).contains("\r\nallow: get,head\r\n"))
                .isEqualTo(status == 405);
    }

    @Test
    void plainGetOfTheRootSaysThatAnUpgradeIsMissing() throws Exception {
        start(WebSocketOptions.DEFAULT);
        RawClient.Answer answer = ask("GET /");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body())
                .startsWith("Connection header did not include 'upgrade'\n")
                .contains("This is exec-server", "documentation");
    }

    @Test
    void readyzFollowsTheServerAndLivezDoesNot() throws Exception {
        AtomicBoolean ready = new AtomicBoolean(true);
        start(WebSocketOptions.DEFAULT.with(new Http(Optional.empty(), ready::get)));
        assertThat(ask("GET /readyz").status()).isEqualTo(200);
        ready.set(false);
        assertThat(ask("GET /readyz").status()).isEqualTo(503);
        assertThat(ask("GET /livez").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost", "null", "http://127.0.0.1", "https://x.example", ""})
    void anyOriginIsRefusedEverywhere(String origin) throws Exception {
        start(WebSocketOptions.DEFAULT);
        for (String request : new String[] {"GET /", "GET /readyz", "GET /livez", "POST /readyz", "GET /else"}) {
            RawClient.Answer answer = ask(request, "Origin: " + origin);
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).isEmpty();
        }
        RawClient.Answer upgrade = ask(
                "GET /",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                KEY,
                "Origin: " + origin);
        assertThat(upgrade.status()).isEqualTo(403);
        assertThat(upgrade.body()).isEmpty();
    }

    @Test
    void originIsAllowedWhenTheGuardIsOff() throws Exception {
        start(WebSocketOptions.DEFAULT.with(new Access(Authenticator.NONE, false, Optional.empty())));
        assertThat(ask("GET /readyz", "Origin: http://localhost").status()).isEqualTo(200);
        RawClient.upgraded(server.port(), "Origin: http://localhost").close();
    }

    @ParameterizedTest
    @CsvSource({"websocket, Upgrade", "WebSocket, upgrade", "websocket, 'keep-alive, Upgrade'"})
    void upgradeHeadersAreNotCaseSensitive(String upgrade, String connection) throws Exception {
        start(WebSocketOptions.DEFAULT);
        RawClient.Answer answer =
                ask("GET /", "Connection: " + connection, "Upgrade: " + upgrade, "Sec-WebSocket-Version: 13", KEY);
        assertThat(answer.status()).isEqualTo(101);
        // the example of RFC 6455 section 1.3
        assertThat(answer.head()).contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assertThat(answer.head().toLowerCase(Locale.ROOT)).doesNotContain("extensions", "protocol:");
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-WebSocket-Version: 12, Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==, 426",
        "X: y, Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==, 426",
        "Sec-WebSocket-Version: 13, X: y, 400",
        "Sec-WebSocket-Version: 13, Sec-WebSocket-Key: short, 400",
        "Sec-WebSocket-Version: 13, Sec-WebSocket-Key: !!!!, 400"
    })
    void badHandshakeIsRefused(String version, String key, int status) throws Exception {
        start(WebSocketOptions.DEFAULT);
        RawClient.Answer answer = ask("GET /", "Connection: Upgrade", "Upgrade: websocket", version, key);
        assertThat(answer.status()).isEqualTo(status);
        if (status == 426) {
            assertThat(answer.head()).contains("Sec-WebSocket-Version: 13");
        }
    }

    @Test
    void upgradeWithoutConnectionHeaderIsRefused() throws Exception {
        start(WebSocketOptions.DEFAULT);
        assertThat(ask("GET /", "Upgrade: websocket", "Sec-WebSocket-Version: 13", KEY)
                        .body())
                .isEqualTo("Connection header did not include 'upgrade'");
    }

    @Test
    void onlyTheRootUpgrades() throws Exception {
        start(WebSocketOptions.DEFAULT);
        assertThat(ask("GET /rpc", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", KEY)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void upgradeNeedsTheToken() throws Exception {
        // SHA-256 of "open sesame"
        start(withToken("41ef4bb0b23661e66301aac36066912dac037827b4ae63a7b1165a5aa93ed4eb"));
        String[] upgrade = {"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", KEY};
        RawClient.Answer answer = ask("GET /", upgrade);
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body()).isEqualTo("missing websocket bearer token");
        assertThat(answer.head().toLowerCase(Locale.ROOT)).contains("content-type: text/plain");
        RawClient.upgraded(server.port(), "Authorization: bearer open sesame").close();
    }

    @Test
    void oneConnectionServesManyRequests() throws Exception {
        start(WebSocketOptions.DEFAULT);
        try (RawClient client = RawClient.connect(server.port())) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.request("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")
                                .status())
                        .isEqualTo(200);
            }
            assertThat(client.request(RawClient.upgradeRequest()).status()).isEqualTo(101);
        }
    }

    @Test
    void hugeHeadersAreRefused() throws Exception {
        start(WebSocketOptions.DEFAULT);
        assertThat(ask("GET /readyz", "X: " + "x".repeat(20_000)).status()).isIn(400, 431);
    }

    @Test
    void framesInTheSamePacketAsTheUpgradeRequestAreNotLost() throws Exception {
        start(WebSocketOptions.DEFAULT);
        try (RawClient client = RawClient.connect(server.port())) {
            String frame = new String(
                    RawClient.encoded(true, RawClient.TEXT, "early".getBytes()), StandardCharsets.ISO_8859_1);
            assertThat(client.request(RawClient.upgradeRequest() + frame).status())
                    .isEqualTo(101);
            assertThat(client.readData().text()).isEqualTo("early");
        }
    }
}
