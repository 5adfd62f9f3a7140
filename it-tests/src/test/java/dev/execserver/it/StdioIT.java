package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.StdioClient;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same protocol, one JSON value per line. */
@Timeout(60)
class StdioIT {
    @ParameterizedTest
    @ValueSource(strings = {"stdio", "stdio://"})
    void aSessionRunsOverStdioAndEndsWithItsInput(String listen) {
        try (StdioClient client = StdioClient.start(listen)) {
            assertThat(client.handshake().get("result").get("sessionId").textValue())
                    .isNotBlank();
            client.sendLine(start(Start.of("echo", "hello").id("p")));

            assertThat(client.next().get("result").get("processId").textValue()).isEqualTo("p");
            JsonNode output = client.next();
            assertThat(output.get("method").textValue()).isEqualTo("process/output");
            assertThat(Json.bytes(output.get("params").get("chunk"))).asString().isEqualTo("hello\n");
            assertThat(client.next().get("method").textValue()).isEqualTo("process/exited");
            assertThat(client.next().get("method").textValue()).isEqualTo("process/closed");
            assertThat(client.finish()).isZero();
            assertThat(client.unread()).isZero();
        }
    }

    @Test
    void blankLinesAreIgnoredAndGarbageIsAnsweredWithIdMinusOne() {
        try (StdioClient client = StdioClient.start("stdio")) {
            client.handshake();
            client.sendLine("");
            client.sendLine("   ");
            client.sendLine("not json");

            JsonNode answer = client.next();
            assertThat(answer.get("id").intValue()).isEqualTo(-1);
            assertThat(answer.get("error").get("message").textValue())
                    .startsWith("failed to parse JSON-RPC message from exec-server stdio: ");
            client.sendLine("{\"id\":5,\"method\":\"environment/status\"}");
            assertThat(client.next().get("id").intValue()).isEqualTo(5);
        }
    }

    @Test
    void theEndOfInputTakesTheProcesses() {
        String mark = UUID.randomUUID().toString();
        try (StdioClient client = StdioClient.start("stdio")) {
            client.handshake();
            client.sendLine(
                    start(Start.bash("setsid sleep 81 & sleep 82").mark(mark).id("p")));
            client.next();
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> ProcFs.marked(mark).size() >= 2);

            assertThat(client.finish()).isZero();
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> ProcFs.marked(mark).isEmpty());
        }
    }

    @Test
    void aRequestThatTheInputEndsWithIsAnsweredAllTheSame() {
        try (StdioClient client = StdioClient.start("stdio")) {
            client.handshake();
            client.sendLine("{\"id\":5,\"method\":\"fs/getMetadata\",\"params\":{\"path\":\"/etc\"}}");
            assertThat(client.finish()).isZero();
            assertThat(client.next().get("id").intValue()).isEqualTo(5);
        }
    }

    @Test
    void aLineAboveTheLimitIsSkippedAndSaid() {
        try (StdioClient client = StdioClient.start("stdio", "--request-memory-bytes", "16MiB")) {
            client.handshake();
            client.sendLine("x".repeat(65 * 1024 * 1024));
            client.sendLine("{\"id\":5,\"method\":\"environment/status\"}");

            JsonNode refused = client.next();
            assertThat(refused.get("id").intValue()).isEqualTo(-1);
            assertThat(refused.get("error").get("message").textValue()).contains("--request-memory-bytes");
            assertThat(client.next().get("id").intValue()).isEqualTo(5);
        }
    }

    private static String start(Start start) {
        return Json.object("id", 1, "method", "process/start", "params", start.params())
                .toString();
    }
}
