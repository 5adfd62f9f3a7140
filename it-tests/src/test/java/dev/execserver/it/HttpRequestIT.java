package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.HttpRequestTest;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RawHttpServer.Request;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code http/request} on the wire, on both sides. */
@Timeout(60)
class HttpRequestIT extends HttpRequestTest {

    private static ServerProcess server;
    private static ServerProcess proxied;
    private static RawHttpServer proxy;

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

    @Override
    protected ServerProcess server() {
        return server;
    }
}
