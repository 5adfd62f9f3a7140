package dev.execserver.it.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AccessLogFile;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands of the app-server dialect and of HTTP in the access log: their lines belong together by their ids. */
@Timeout(120)
class ExecAccessLogIT {
    private static final String PROCESS = "execserver.process.id";
    private static final String SESSION = "session.id";

    @TempDir
    private Path directory;

    @Test
    void aCommandOverHttpHasOneNameInItsLines() throws IOException {
        AccessLogFile log = new AccessLogFile(directory.resolve("access.log"));
        Path token = Files.writeString(directory.resolve("token"), "secret");
        try (ServerProcess server = log.server(
                        List.of("--ws-auth", "capability-token", "--ws-token-file", token.toString()), List.of());
                RawHttpClient http = RawHttpClient.connect(server.port())) {
            String params = "{\"command\":[\"sh\",\"-c\",\"exit 3\"],\"processId\":\"mine\"}";
            http.head("POST /v1/exec HTTP/1.1|Host: 127.0.0.1|Authorization: Bearer secret"
                    + "|Content-Type: application/json|Content-Length: " + params.length());
            assertThat(http.bytes(params.getBytes(UTF_8)).response().status()).isEqualTo(200);

            JsonNode started = log.await("process.started");
            assertThat(started.get("client.address").asText()).isEqualTo("127.0.0.1");
            check(started, log.await("process.exited"));
        }
    }

    @Test
    void aCommandOverAWebSocketHasOneNameInItsLines() throws IOException {
        AccessLogFile log = new AccessLogFile(directory.resolve("access.log"));
        try (ServerProcess server = log.server(List.of(), List.of());
                AppClient client = AppClient.connect(server.port())) {
            JsonNode answer = client.handshake(true)
                    .call("command/exec", "processId", "mine", "command", List.of("sh", "-c", "exit 3"));
            assertThat(answer.get("result").get("exitCode").asInt()).isEqualTo(3);
            check(log.await("process.started"), log.await("process.exited"));
        }
    }

    private static void check(JsonNode started, JsonNode exited) {
        assertThat(started.get("rpc.method").asText()).isEqualTo("command/exec");
        assertThat(started.get("execserver.command.id").asText()).isEqualTo("mine");
        assertThat(started.get(PROCESS)).isEqualTo(exited.get(PROCESS));
        assertThat(started.get(SESSION)).isEqualTo(exited.get(SESSION));
        assertThat(exited.get("process.exit.code").asInt()).isEqualTo(3);
    }
}
