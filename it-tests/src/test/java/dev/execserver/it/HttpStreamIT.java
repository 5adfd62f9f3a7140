package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.HttpRequestTest;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Streamed responses of {@code http/request}: their ends, their bounds, and what they hold up. */
@Timeout(60)
class HttpStreamIT extends HttpRequestTest {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @Override
    protected ServerProcess server() {
        return SERVER.process();
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
    void aStreamThatIsCancelledBeforeItsHeadersCameSaysThatAndNothingElse() {
        ObjectNode params = params("GET", http.url("/silent"), "s");
        params.put("streamResponse", true);
        var pending = client.send("http/request", params);
        await().atMost(Duration.ofSeconds(10)).until(() -> http.connections() == 1);
        client.call("http/request/cancel", "requestId", "s").result();
        JsonNode data = pending.answer(Duration.ofSeconds(30)).error().get("data");
        assertThat(data.get("reason").asText()).isEqualTo("cancelled");
        assertThat(data.get("detail").asText()).isEqualTo("IOException: cancelled");
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
        try (WireClient other = WireClient.connect(server().port())) {
            other.handshake();
            other.assertServed();
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
        int before = ProcFs.threads(server().pid());
        for (int i = 0; i < 100; i++) {
            ObjectNode params = params("GET", http.url("/stuck"), "s" + i);
            params.put("streamResponse", true);
            client.send("http/request", params);
        }
        for (int i = 0; i < 200; i++) {
            client.send("http/request", params("GET", http.url("/silent"), "r"));
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> http.connections() == 300);
        assertThat(ProcFs.threads(server().pid()) - before).isLessThanOrEqualTo(24);
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

    private JsonNode nextDelta(String id) {
        JsonNode message = client.nextStray();
        assertThat(message.path("method").asText()).isEqualTo("http/request/bodyDelta");
        assertThat(message.get("params").get("requestId").asText()).isEqualTo(id);
        return message.get("params");
    }
}
