package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.CapabilityToken;
import dev.execserver.server.transport.auth.HostNames;
import dev.execserver.server.transport.websocket.WebSocketOptions.Access;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are unusual but correct, and requests that two readers could understand differently. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class HttpEdgeTest {
    private static final String UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    private static final String OK = "GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

    private WebSocketServer server;

    @AfterEach
    void stop() {
        server.close();
    }

    private void start(Authenticator authenticator) {
        server = EchoServer.start(WebSocketOptions.DEFAULT.with(
                new Access(authenticator, true, Optional.empty(), HostNames.of(List.of("localhost", "box.example")))));
    }

    private RawClient.Answer ask(String request) throws IOException {
        try (RawClient client = RawClient.connect(server.port())) {
            return client.request(request);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /readyz, 200",
        "HEAD /readyz, 200",
        "GET /healthz, 200",
        "OPTIONS /livez, 405",
        "GET /, 505",
        "GET /files?path=/etc/passwd, 505",
        "GET /else, 505"
    })
    void c10_healthChecksOfHttp10AreAnsweredAndTheConnectionEnds(String request, int status) throws Exception {
        start(Authenticator.NONE);
        for (String host : new String[] {"", "Host: localhost\r\n", "Connection: keep-alive\r\n"}) {
            try (RawClient client = RawClient.connect(server.port())) {
                var answer = client.request(request + " HTTP/1.0\r\n" + host + "\r\n");
                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.toString()).doesNotContain("keep-alive");
                assertThat(client.socket.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void c10_anHttp10RequestOfAWebPageIsRefusedAsAnyOther() throws Exception {
        start(Authenticator.NONE);
        assertThat(ask("GET /readyz HTTP/1.0\r\nOrigin: null\r\n\r\n").status()).isEqualTo(403);
    }

    @Test
    void anUpgradeOfHttp10IsRefused() throws Exception {
        start(Authenticator.NONE);
        assertThat(ask("GET / HTTP/1.0\r\nHost: localhost\r\n" + UPGRADE + "\r\n")
                        .status())
                .isEqualTo(505);
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1/readyz, 200",
        "HTTP://localhost:80/healthz, 200",
        "http://box.example/readyz?x=1, 200",
        "https://[::1]:7/livez, 200",
        "http://127.0.0.1, 400",
        "http://127.0.0.1/else, 404",
        "http://u@127.0.0.1/readyz, 400",
        "http:///readyz, 400",
        "http://[::1/readyz, 400",
        "ftp://127.0.0.1/readyz, 404"
    })
    void targetsInAbsoluteFormAreAnswered(String target, int status) throws Exception {
        start(Authenticator.NONE);
        assertThat(ask("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"http://127.0.0.1/, 101", "http://box.example:80, 101", "http://evil.example/, 403"})
    void anUpgradeInAbsoluteFormCountsByItsTarget(String target, int status) throws Exception {
        start(Authenticator.NONE);
        assertThat(ask("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + UPGRADE + "\r\n")
                        .status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 101",
        "127.0.0.1:8765, 101",
        "[::1]:8765, 101",
        "localhost, 101",
        "LocalHost:8765, 101",
        "box.example, 101",
        "evil.example, 403",
        "127.0.0.1.evil.example:8765, 403",
        "2130706433, 403",
        "xlocalhost, 403"
    })
    void anUpgradeMustNameThisServer(String host, int status) throws Exception {
        start(Authenticator.NONE);
        RawClient.Answer answer = ask("GET / HTTP/1.1\r\nHost: " + host + "\r\n" + UPGRADE + "\r\n");
        assertThat(answer.status()).isEqualTo(status);
        if (status == 403) {
            assertThat(answer.body()).contains(host, "--allowed-hosts");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n",
                "Host: 127.0.0.1\r\nhost: evil.example\r\n",
                "X: y\r\n",
                "Host: \r\n",
                "Host: a b\r\n",
                "Host: a/b\r\n",
                "Host: a:b\r\n"
            })
    void aHostHeaderIsThereOnceAndWellFormed(String headers) throws Exception {
        start(Authenticator.NONE);
        assertThat(ask("GET /readyz HTTP/1.1\r\n" + headers + "\r\n").status()).isEqualTo(400);
        assertThat(ask("GET / HTTP/1.1\r\n" + headers + UPGRADE + "\r\n").status())
                .isEqualTo(400);
    }

    @Test
    void twoAuthorizationHeadersAreRefused() throws Exception {
        // SHA-256 of "open sesame"
        start(CapabilityToken.fromSha256("41ef4bb0b23661e66301aac36066912dac037827b4ae63a7b1165a5aa93ed4eb"));
        String token = "Authorization: Bearer open sesame\r\n";
        String head = "GET / HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE;
        assertThat(ask(head + token + "\r\n").status()).isEqualTo(101);
        RawClient.Answer answer = ask(head + token + token + "\r\n");
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body()).isEqualTo("more than one authorization header");
    }

    @Test
    void emptyLinesBeforeARequestAreSkipped() throws Exception {
        start(Authenticator.NONE);
        try (RawClient client = RawClient.connect(server.port())) {
            assertThat(client.request("\r\n" + OK).status()).isEqualTo(200);
            assertThat(client.request("\r\n\r\n" + OK).status()).isEqualTo(200);
            assertThat(client.request("\r\n" + "GET / HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + "\r\n")
                            .status())
                    .isEqualTo(101);
        }
    }

    @Test
    void aBodyIsNoRequest() throws Exception {
        start(Authenticator.NONE);
        try (RawClient client = RawClient.connect(server.port())) {
            String body = "\r\nGET /else HTTP/1.1\r\n\r\n";
            assertThat(client.request("POST /readyz HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
                                    + "\r\n\r\n" + body)
                            .status())
                    .isEqualTo(405);
            assertThat(client.request(OK).status()).isEqualTo(200);
        }
    }

    static Stream<String> malformedMethods() {
        return Stream.of("\u0001 \u001b \u007f \u0080 \u00ff \u0000 \t ( ) / , : ; < = > ? @ [ ] { } \" \\".split(" "))
                .map(one -> "G" + one + "T");
    }

    @ParameterizedTest
    @MethodSource("malformedMethods")
    void aMethodThatIsNoTokenIsRefused(String method) throws Exception {
        start(Authenticator.NONE);
        refused(method + " /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        refused(method + " /readyz HTTP/1.0\r\n\r\n");
        refused(method + " / HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " /readyz HTTP/1.1",
                "GET readyz HTTP/1.1",
                "GET * HTTP/1.1",
                "CONNECT 127.0.0.1:80 HTTP/1.1",
                "GET  HTTP/1.1",
                "GET  /readyz HTTP/1.1",
                "GET /readyz  HTTP/1.1",
                "GET /a b HTTP/1.1",
                "GET /readyz#x HTTP/1.1",
                "GET /read\u0001yz HTTP/1.1",
                "GET /read\u0080yz HTTP/1.1",
                "GET /readyz?\u00ff HTTP/1.1",
                "GET /readyz?\u001b[2J HTTP/1.1",
                "GET http://u@127.0.0.1/readyz HTTP/1.1",
                "GET /readyz HTTP/1.2",
                "GET /readyz HTTP/2.0",
                "GET /readyz HTTP/0.9",
                "GET /readyz http/1.1",
                "GET /readyz HTTP/1.1 ",
                "GET /readyz HTTP/1.1\u0001",
                "GET /readyz HTTP/1",
                "GET /readyz XTTP/1.1"
            })
    void aMalformedFirstLineIsRefused(String line) throws Exception {
        start(Authenticator.NONE);
        refused(line + "\r\nHost: 127.0.0.1\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ": y",
                "X",
                "X y: z",
                "X : z",
                " X: y",
                "\tX: y",
                "X\u0001: y",
                "X\u001b: y",
                "X\u0080: y",
                "X(: y",
                "X\": y",
                "X@: y",
                "X: \u0001",
                "X: a\u0000b",
                "X: \u001b[2J",
                "X: \u007f",
                "X: a\nY: b",
                "X: a\rY: b",
                "X: a\r\n b",
                "Content-Length: -1",
                "Content-Length: +1",
                "Content-Length: 1\r\nContent-Length: 2",
                "Transfer-Encoding: x",
                "Transfer-Encoding: chunked\r\nContent-Length: 3"
            })
    void aMalformedHeaderIsRefused(String header) throws Exception {
        start(Authenticator.NONE);
        for (String head : List.of("GET /readyz HTTP/1.1\r\n", "GET / HTTP/1.1\r\n" + UPGRADE)) {
            refused(head + "Host: 127.0.0.1\r\n" + header + "\r\n\r\n");
        }
    }

    /** It is 400, and nothing more is read from the connection. */
    private void refused(String request) throws IOException {
        try (RawClient client = RawClient.connect(server.port())) {
            assertThat(client.request(request).status()).as(request).isEqualTo(400);
            assertThat(client.socket.getInputStream().read()).as(request).isEqualTo(-1);
        }
    }

    @Test
    void otherMethodsAndFormsOfTargetsAreUnderstood() throws Exception {
        start(Authenticator.NONE);
        String host = " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        assertThat(ask("M!#$%&'*+-.^_`|~9 /readyz" + host).status()).isEqualTo(405);
        assertThat(ask("OPTIONS *" + host).status()).isEqualTo(404);
        assertThat(ask("GET /readyz?x=%20;:@/?-._~!$&'()*+,=" + host).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET\r\n\r\n", "GET /readyz\r\n\r\n", "\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n"})
    void nonsenseIsRefusedInWords(String request) throws Exception {
        start(Authenticator.NONE);
        RawClient.Answer answer = ask(request);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("malformed HTTP request");
    }
}
