package dev.execserver.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RawHttpServer.Request;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code http/request} on the wire, on both sides. */
@Timeout(60)
class HttpRequestIT {

    private static ServerProcess server;
    private static ServerProcess proxied;
    private static RawHttpServer proxy;

    private final AtomicLong sent = new AtomicLong();
    private RawHttpServer http;
    private WireClient client;

    @BeforeAll
    static void start() {
        server = ServerProcess.listening(
                List.of(),
                Map.of("MY_HDR", "fromenv", "OPERATORS", "secret", "OPENAI_API_KEY", "secret"),
                "--http-protected-env",
                "OPERATORS");
        proxy = RawHttpServer.answering((request, out) -> out.write(RawHttpServer.ok("via proxy")));
        proxied = ServerProcess.listening(
                List.of(),
                Map.of("HTTP_PROXY", "http://us:pw@127.0.0.1:" + proxy.port(), "no_proxy", "direct.invalid"));
    }

    @AfterAll
    static void stop() {
        server.close();
        proxied.close();
        proxy.close();
    }

    @BeforeEach
    void connect() {
        http = RawHttpServer.answering(this::answer);
        client = WireClient.connect(server.port());
        client.handshake();
    }

    @AfterEach
    void disconnect() {
        client.close();
        http.close();
    }

    private void answer(Request request, OutputStream out) throws IOException {
        switch (request.path()) {
            case "/redirect" ->
                out.write("HTTP/1.1 302 X\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
            case "/loop" -> out.write("HTTP/1.1 302 X\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
            case "/to-ftp" ->
                out.write("HTTP/1.1 302 X\r\nLocation: ftp://x/\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
            case "/elsewhere" ->
                out.write(("HTTP/1.1 307 X\r\nLocation: http://localhost:" + http.port()
                                + "/end\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(UTF_8));
            case "/headers" ->
                out.write(
                        "HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nX-L: caf\u00e9\r\nX-U: \u00c3\u00a9\r\nContent-Length: 0\r\n\r\n"
                                .getBytes(ISO_8859_1));
            case "/chunked" ->
                out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
                        .getBytes(UTF_8));
            case "/until-close" -> {
                out.write("HTTP/1.1 200 OK\r\n\r\nuntil the end".getBytes(UTF_8));
                throw new IOException("that is the end");
            }
            case "/broken" -> {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart".getBytes(UTF_8));
                throw new IOException("broken");
            }
            case "/garbage" -> {
                out.write("garbage\r\n\r\n".getBytes(UTF_8));
                throw new IOException("enough");
            }
            case "/silent" -> throw new RawHttpServer.SilenceException();
            case "/stuck" -> {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart".getBytes(UTF_8));
                throw new RawHttpServer.SilenceException();
            }
            case "/endless", "/large" -> pour(request, out);
            default -> out.write(RawHttpServer.ok("ok"));
        }
    }

    private void pour(Request request, OutputStream out) throws IOException {
        byte[] piece = new byte[64 * 1024];
        long size = request.path().equals("/large") ? 33L << 20 : Long.MAX_VALUE;
        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n").getBytes(UTF_8));
        for (long left = size; left > 0; left -= piece.length) {
            out.write(piece, 0, (int) Math.min(piece.length, left));
            sent.addAndGet(piece.length);
        }
    }

    private static ObjectNode params(String method, String url, String id) {
        return Json.object("method", method, "url", url, "requestId", id);
    }

    private Answer call(ObjectNode params) {
        return client.send("http/request", params).answer();
    }

    private JsonNode get(String path) {
        return call(params("GET", http.url(path), "r")).result();
    }

    private static String body(JsonNode result) {
        return new String(Json.bytes(result.get("bodyBase64")), UTF_8);
    }

    private static List<JsonNode> headers(String... namesAndValues) {
        return java.util.stream.IntStream.range(0, namesAndValues.length / 2)
                .<JsonNode>mapToObj(i -> Json.object("name", namesAndValues[2 * i], "value", namesAndValues[2 * i + 1]))
                .toList();
    }

    private JsonNode nextDelta(String id) {
        JsonNode message = client.nextStray();
        assertThat(message.path("method").asText()).isEqualTo("http/request/bodyDelta");
        assertThat(message.get("params").get("requestId").asText()).isEqualTo(id);
        return message.get("params");
    }

    @Test
    void aPlainRequestIsHttp11WithoutAnUpgrade() {
        JsonNode result = get("/x?y=1");
        Request request = http.next();
        assertThat(result.get("status").intValue()).isEqualTo(200);
        assertThat(body(result)).isEqualTo("ok");
        assertThat(request.line()).isEqualTo("GET /x?y=1 HTTP/1.1");
        assertThat(request.all("host")).containsExactly("127.0.0.1:" + http.port());
        assertThat(request.all("accept")).containsExactly("*/*");
        assertThat(request.header("user-agent").orElseThrow()).startsWith("exec-server/");
        for (String absent : List.of("upgrade", "connection", "http2-settings", "content-length", "accept-encoding")) {
            assertThat(request.header(absent)).as(absent).isEmpty();
        }
    }

    @Test
    void headersOfTheClientAreSentAsTheyAreRepeatedOnesApart() {
        ObjectNode params = params("POST", http.url("/"), "r");
        params.set(
                "headers",
                Json.value(headers(
                        "Host",
                        "other:9",
                        "X-T",
                        "v1",
                        "X-T",
                        "v2",
                        "Connection",
                        "close",
                        "Expect",
                        "100-continue",
                        "User-Agent",
                        "me")));
        params.put("bodyBase64", Json.base64("body"));
        call(params).result();
        Request request = http.next();
        assertThat(request.all("host")).containsExactly("other:9");
        assertThat(request.all("x-t")).containsExactly("v1", "v2");
        assertThat(request.all("connection")).containsExactly("close");
        assertThat(request.all("expect")).containsExactly("100-continue");
        assertThat(request.all("user-agent")).containsExactly("me");
        assertThat(request.all("content-length")).containsExactly("4");
        assertThat(request.body()).isEqualTo("body");
    }

    @Test
    void headersOfTheResponseComeInLowerCaseAndRepeatedOnesApart() {
        JsonNode headers = get("/headers").get("headers");
        assertThat(headers.toString())
                .contains("{\"name\":\"x-a\",\"value\":\"1\"}", "{\"name\":\"x-a\",\"value\":\"2\"}")
                .contains("{\"name\":\"x-l\",\"value\":\"caf\u00e9\"}", "{\"name\":\"x-u\",\"value\":\"\u00e9\"}");
    }

    @ParameterizedTest
    @CsvSource({"/chunked, onetwo", "/until-close, until the end", "/redirect, ok"})
    void bodiesComeWholeHoweverTheyAreFramed(String path, String expected) {
        assertThat(body(get(path))).isEqualTo(expected);
    }

    @Test
    void redirectsAreFollowedWithARefererOrStoppedAt() {
        get("/redirect");
        http.next();
        assertThat(http.next().all("referer")).containsExactly(http.url("/redirect"));
        ObjectNode stop = params("GET", http.url("/redirect"), "r");
        stop.put("redirectPolicy", "stop");
        assertThat(call(stop).result().get("status").intValue()).isEqualTo(302);
        assertThat(call(params("GET", http.url("/loop"), "r")).errorMessage())
                .isEqualTo("http/request failed: too many redirects");
        assertThat(call(params("GET", http.url("/to-ftp"), "r")).errorMessage())
                .isEqualTo("http/request failed: error following redirect for url (" + http.url("/to-ftp") + ")");
    }

    @Test
    void aRedirectElsewhereTakesNoSecretsAlong() {
        ObjectNode params = params("GET", http.url("/elsewhere"), "r");
        ObjectNode variable = Json.object("name", "X-Key", "value", "k-", "valueEnvVar", "MY_HDR");
        params.set(
                "headers",
                Json.value(List.of(headers("Authorization", "a", "Cookie", "c", "X-P", "p"), List.of(variable)).stream()
                        .flatMap(List::stream)
                        .toList()));
        call(params).result();
        Request first = http.next();
        Request second = http.next();
        assertThat(first.all("x-key")).containsExactly("k-fromenv");
        assertThat(second.all("x-p")).containsExactly("p");
        for (String secret : List.of("authorization", "cookie", "x-key")) {
            assertThat(first.header(secret)).as(secret).isPresent();
            assertThat(second.header(secret)).as(secret).isEmpty();
        }
        assertThat(second.all("host")).containsExactly("localhost:" + http.port());
    }

    @ParameterizedTest
    @CsvSource({"OPERATORS", "OPENAI_API_KEY", "EXEC_SERVER_ANYTHING"})
    void protectedVariablesAreRefused(String name) {
        ObjectNode params = params("GET", http.url("/"), "r");
        params.set("headers", Json.value(List.of(Json.object("name", "X", "value", "", "valueEnvVar", name))));
        Answer answer = call(params);
        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage())
                .isEqualTo("http/request header X cannot use executor environment variable " + name);
        assertThat(http.idle()).isTrue();
    }

    @Test
    void failuresNameTheUrlAndTheirDataTheReason() throws IOException {
        for (String path : List.of("/garbage", "/silent")) {
            ObjectNode params = params("GET", http.url(path), "r");
            params.put("timeoutMs", 1000);
            Answer answer = call(params);
            assertThat(answer.errorCode()).isEqualTo(-32603);
            assertThat(answer.errorMessage())
                    .isEqualTo("http/request failed: error sending request for url (" + http.url(path) + ")");
            assertThat(answer.error().get("data").get("reason").asText())
                    .isEqualTo(path.equals("/silent") ? "timeout" : "failed");
            assertThat(answer.error().get("data").get("detail").asText()).isNotBlank();
        }
        for (String path : List.of("/broken", "/stuck")) {
            ObjectNode params = params("GET", http.url(path), "r");
            params.put("timeoutMs", 1000);
            assertThat(call(params).errorMessage())
                    .isEqualTo("failed to read http/request response body: error decoding response body");
        }
        assertThat(call(params("GET", "http://name.invalid/", "r")).errorMessage())
                .isEqualTo("http/request failed: error sending request for url (http://name.invalid/)");
    }

    @Test
    void aBodyTooLongForOneMessageIsRefusedAndCanBeStreamed() {
        Answer answer = client.send("http/request", params("GET", http.url("/large"), "r"))
                .answer(Duration.ofSeconds(30));
        assertThat(answer.errorMessage())
                .isEqualTo(
                        "failed to read http/request response body: it has more than 33554432 bytes; ask for it with streamResponse");
        await().atMost(Duration.ofSeconds(10)).until(() -> http.connections() == 0);
        ObjectNode params = params("GET", http.url("/large"), "r");
        params.put("streamResponse", true);
        call(params).result();
        long bytes = 0;
        long seq = 1;
        JsonNode delta = nextDelta("r");
        for (; !delta.get("done").booleanValue(); delta = nextDelta("r")) {
            assertThat(delta.get("seq").longValue()).isEqualTo(seq++);
            bytes += Json.bytes(delta.get("deltaBase64")).length;
        }
        assertThat(bytes).isEqualTo(33L << 20);
        assertThat(delta.get("error").isNull()).isTrue();
    }

    @Test
    void theIdOfAStreamIsBusyUntilItsEnd() {
        ObjectNode params = params("GET", http.url("/stuck"), "s");
        params.put("streamResponse", true);
        assertThat(call(params).result().get("bodyBase64").asText()).isEmpty();
        assertThat(Json.bytes(nextDelta("s").get("deltaBase64"))).asString().isEqualTo("part");
        Answer second = call(params);
        assertThat(second.errorCode()).isEqualTo(-32602);
        assertThat(second.errorMessage()).isEqualTo("http/request streamResponse requestId `s` is already active");
        client.call("http/request/cancel", "requestId", "s").result();
        JsonNode last = nextDelta("s");
        assertThat(last.get("done").booleanValue()).isTrue();
        assertThat(last.get("error").asText()).isEqualTo("cancelled");
        await().atMost(Duration.ofSeconds(10)).until(() -> http.connections() == 0);
        params.put("url", http.url("/"));
        call(params).result();
        assertThat(Json.bytes(nextDelta("s").get("deltaBase64"))).asString().isEqualTo("ok");
        assertThat(nextDelta("s").get("done").booleanValue()).isTrue();
    }

    @Test
    void aStreamThatBreaksOrTakesTooLongSaysSoAtItsEnd() {
        for (String path : List.of("/broken", "/stuck")) {
            ObjectNode params = params("GET", http.url(path), path);
            params.put("streamResponse", true);
            params.put("timeoutMs", 1000);
            call(params).result();
            assertThat(Json.bytes(nextDelta(path).get("deltaBase64")))
                    .asString()
                    .isEqualTo("part");
            JsonNode last = nextDelta(path);
            assertThat(last.get("done").booleanValue()).isTrue();
            assertThat(last.get("error").asText()).isEqualTo("error decoding response body");
        }
    }

    @Test
    void aClientThatDoesNotReadHoldsUpItsStreamAndNothingElse() throws IOException {
        ObjectNode params = params("GET", http.url("/endless"), "s");
        params.put("streamResponse", true);
        call(params).result();
        client.stopReading();
        // Everything between the two sockets fills up, then the peer stands still.
        long[] last = {-1};
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    long now = sent.get();
                    boolean still = now > 0 && now == last[0];
                    last[0] = now;
                    return still;
                });
        assertThat(sent.get()).isLessThan(64L << 20);
        try (WireClient other = WireClient.connect(server.port())) {
            other.handshake();
            assertThat(other.roundTrip()).isLessThan(Duration.ofSeconds(1));
        }
        client.cut();
        await().atMost(Duration.ofSeconds(10)).until(() -> http.connections() == 0);
    }

    @Test
    void requestsEndWithTheirConnection() throws IOException {
        client.send("http/request", params("GET", http.url("/silent"), "r"));
        ObjectNode params = params("GET", http.url("/stuck"), "s");
        params.put("streamResponse", true);
        call(params).result();
        http.next();
        http.next();
        assertThat(http.connections()).isEqualTo(2);
        client.cut();
        await().atMost(Duration.ofSeconds(10)).until(() -> http.connections() == 0);
    }

    @Test
    void manyRequestsAtOnceNeedFewThreads() throws IOException {
        int before = ProcFs.threads(server.pid());
        for (int i = 0; i < 100; i++) {
            ObjectNode params = params("GET", http.url("/stuck"), "s" + i);
            params.put("streamResponse", true);
            client.send("http/request", params);
        }
        for (int i = 0; i < 200; i++) {
            client.send("http/request", params("GET", http.url("/silent"), "r"));
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> http.connections() == 300);
        assertThat(ProcFs.threads(server.pid()) - before).isLessThanOrEqualTo(24);
    }

    @Test
    void atMost128StreamsAreOpenOnOneConnection() {
        for (int i = 0; i < 129; i++) {
            ObjectNode params = params("GET", http.url("/stuck"), "s" + i);
            params.put("streamResponse", true);
            Answer answer = call(params);
            if (i < 128) {
                answer.result();
            } else {
                assertThat(answer.errorCode()).isEqualTo(-32603);
                assertThat(answer.error().get("data").get("reason").asText()).isEqualTo("tooManyStreams");
            }
        }
    }

    @Test
    void aServerThatListensOnTheOtherLoopbackAddressIsFound() throws IOException {
        try (RawHttpServer six = RawHttpServer.on(InetAddress.ofLiteral("::1"), this::answer)) {
            String url = "http://localhost:" + six.port() + "/";
            // Only where the name has both addresses is there anything to choose.
            boolean both = InetAddress.getAllByName("localhost").length > 1;
            Answer answer = call(params("GET", both ? url : "http://[::1]:" + six.port() + "/", "r"));
            assertThat(body(answer.result())).isEqualTo("ok");
        }
    }

    @Test
    void proxyVariablesAreHonouredButNeverForThisMachine() {
        try (WireClient through = WireClient.connect(proxied.port())) {
            through.handshake();
            JsonNode far = through.send("http/request", params("GET", "http://far.invalid/x", "r"))
                    .result();
            assertThat(body(far)).isEqualTo("via proxy");
            Request request = proxy.next();
            assertThat(request.line()).isEqualTo("GET http://far.invalid/x HTTP/1.1");
            assertThat(request.all("proxy-authorization")).containsExactly("Basic dXM6cHc=");
            assertThat(request.all("host")).containsExactly("far.invalid");
            JsonNode near = through.send("http/request", params("GET", http.url("/x"), "r"))
                    .result();
            assertThat(body(near)).isEqualTo("ok");
            assertThat(http.next().header("proxy-authorization")).isEqualTo(Optional.empty());
            assertThat(through.send("http/request", params("GET", "http://direct.invalid/", "r"))
                            .answer()
                            .failed())
                    .isTrue();
            assertThat(proxy.idle()).isTrue();
        }
    }
}
