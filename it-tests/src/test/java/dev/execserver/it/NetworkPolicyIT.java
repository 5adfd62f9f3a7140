package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that answer {@code network/policyRequest} well, badly, late and never. */
@Timeout(90)
class NetworkPolicyIT {

    private static ServerProcess server;
    private static RawHttpServer http;

    private WireClient client;
    private String session;

    @BeforeAll
    static void start() {
        server = ServerProcess.listening();
        http = RawHttpServer.answering(NetworkPolicyIT::answer);
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    private static void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        out.write(RawHttpServer.ok("hello"));
        throw new IOException("closed");
    }

    @BeforeEach
    void connect() {
        client = WireClient.connect(server.port());
        session = client.handshake().get("sessionId").asText();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    /** Runs curl; the client is asked about 127.0.0.1, which the lists allow. */
    private RemoteProcess asking(long timeoutMs) {
        ProxyConfig config =
                ProxyConfig.allowing("127.0.0.1").review("127.0.0.1").asking(timeoutMs);
        return client.start(
                Start.bash("curl -s -w ' %{http_code}' " + http.url("/")).with("networkProxy", config.json()));
    }

    private JsonNode question() {
        JsonNode message = client.nextNetwork();
        assertThat(message.get("method").asText()).isEqualTo("network/policyRequest");
        return message;
    }

    private JsonNode decision() {
        JsonNode message = client.nextNetwork();
        assertThat(message.get("method").asText()).isEqualTo("network/policyDecision");
        return message.get("params");
    }

    private static JsonNode says(String type, String reason) {
        return Json.object("decision", Json.object("type", type, "reason", reason));
    }

    @Test
    void allowLetsTheConnectionThrough() {
        RemoteProcess process = asking(30_000);
        JsonNode question = question();
        assertThat(question.get("id").intValue()).as("an own count").isEqualTo(1);
        assertThat(question.get("params").get("processId").asText()).isEqualTo(process.id());
        assertThat(question.get("params").get("request").get("protocol").asText())
                .isEqualTo("http");
        client.answer(question, Json.object("decision", Json.object("type", "allow")));
        process.closed();
        assertThat(process.text()).isEqualTo("hello 200");
        assertThat(decision().get("policyOverride").booleanValue()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"deny", "ask"})
    void denyAndAskRefuseWithTheClientsReason(String type) {
        RemoteProcess process = asking(30_000);
        client.answer(question(), says(type, "not now"));
        process.closed();
        assertThat(process.text())
                .contains("\"reason\":\"not now\",\"decision\":\"" + type + "\"")
                .endsWith(" 403");
        JsonNode decision = decision();
        assertThat(decision.get("decision").asText()).isEqualTo(type);
        assertThat(decision.get("source").asText()).isEqualTo("decider");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"zz\"",
                "null",
                "{}",
                "{\"decision\":\"allow\"}",
                "{\"decision\":{}}",
                "{\"decision\":{\"type\":\"maybe\"}}",
                "{\"decision\":{\"type\":\"deny\"}}",
                "[1,2]",
                "{\"decision\":{\"type\":true}}"
            })
    void garbageIsNo(String result) {
        RemoteProcess process = asking(30_000);
        client.answer(question(), Json.parse(result));
        process.closed();
        assertThat(process.text()).contains("\"reason\":\"not_allowed\"").endsWith(" 403");
        assertThat(client.roundTrip()).as("the connection lives").isPositive();
    }

    @Test
    void anErrorIsNo() {
        RemoteProcess process = asking(30_000);
        client.sendText(
                "{\"id\":" + question().get("id") + ",\"error\":{\"code\":-32601,\"message\":\"no such method\"}}");
        process.closed();
        assertThat(process.text()).endsWith(" 403");
    }

    @Test
    void anAnswerThatIsTooLargeIsNo() {
        RemoteProcess process = asking(30_000);
        client.answer(question(), says("ask", "x".repeat(70_000)));
        process.closed();
        assertThat(process.text()).contains("\"reason\":\"not_allowed\"").endsWith(" 403");
    }

    @Test
    void silenceIsNoWhenTheTimeIsUpAndALateAnswerIsLetPass() {
        RemoteProcess process = asking(700);
        JsonNode question = question();
        process.closed();
        assertThat(process.text()).endsWith(" 403");
        assertThat(decision().get("reason").asText()).isEqualTo("not_allowed");
        client.answer(question, says("allow", ""));
        assertThat(client.roundTrip()).isPositive();
        assertThat(client.strayCount()).as("no error for it").isZero();
    }

    @Test
    void anAnswerToNothingIsAnErrorAsBefore() {
        client.sendText("{\"id\":999,\"result\":{}}");
        assertThat(client.nextStray().get("id").intValue()).isEqualTo(-1);
    }

    @Test
    void oneThatWaitsBlocksNobody() {
        RemoteProcess waiting = asking(60_000);
        JsonNode first = question();
        RemoteProcess other = asking(60_000);
        JsonNode second = question();
        assertThat(second.get("params").get("processId").asText()).isEqualTo(other.id());
        client.answer(second, Json.object("decision", Json.object("type", "allow")));
        other.closed();
        assertThat(other.text()).isEqualTo("hello 200");
        assertThat(client.start(Start.shell("true")).exited().exitCode()).isZero();
        assertThat(waiting.isClosed()).isFalse();
        client.answer(first, says("deny", "at last"));
        waiting.closed();
        assertThat(waiting.text()).contains("at last");
    }

    @Test
    void aQuestionIsAskedAgainWhenTheSessionIsResumed() {
        RemoteProcess process = asking(60_000);
        question();
        client.cut();
        resume();
        client.answer(question(), Json.object("decision", Json.object("type", "allow")));
        assertThat(readToTheEnd(process.id())).isEqualTo("hello 200");
        assertThat(decision().get("decision").asText()).isEqualTo("allow");
    }

    @Test
    void aClientThatStaysAwayHasSaidNo() {
        RemoteProcess process = asking(1_000);
        question();
        client.cut();
        org.awaitility.Awaitility.await().pollDelay(Duration.ofMillis(1_500)).until(() -> true);
        resume();
        assertThat(readToTheEnd(process.id())).endsWith(" 403");
        assertThat(decision().get("reason").asText()).as("it was kept").isEqualTo("not_allowed");
    }

    private void resume() {
        client = WireClient.connect(server.port());
        client.call("initialize", "clientName", "again", "resumeSessionId", session, "takeover", true)
                .result();
        client.notify("initialized", Json.object());
    }

    private String readToTheEnd(String processId) {
        for (int i = 0; i < 100; i++) {
            JsonNode read = client.call("process/read", "processId", processId, "afterSeq", 0, "waitMs", 500)
                    .result();
            if (read.get("closed").booleanValue()) {
                return new String(RemoteProcess.bytes(read), java.nio.charset.StandardCharsets.UTF_8);
            }
        }
        throw new AssertionError("not closed");
    }
}
