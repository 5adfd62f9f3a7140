package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.WireClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A {@code sandbox} is honoured or refused, never ignored. */
@Timeout(60)
class SandboxNotTakenIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    static Path directory;

    private static JsonNode params() {
        return Json.object(
                "watchId",
                1,
                "path",
                directory.toUri().toString(),
                "missing",
                List.of(directory.resolve("later").toUri().toString()),
                "present",
                null,
                "processId",
                "p",
                "handleId",
                "h",
                "requestId",
                "r",
                "method",
                "GET",
                "url",
                "http://127.0.0.1:1/",
                "sandbox",
                Json.object("permissions", Json.object("type", "disabled")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fs/watch",
                "fs/watchMissing",
                "fs/unwatch",
                "fs/readBlock",
                "fs/writeBlock",
                "fs/close",
                "process/read",
                "process/write",
                "process/signal",
                "process/terminate",
                "process/closeStdin",
                "process/resize",
                "process/list",
                "session/end",
                "session/list",
                "session/observe",
                "process/wait",
                "exec/allowApprover",
                "exec/approve",
                "http/request",
                "http/request/cancel",
                "environment/info",
                "environment/status",
                "sandbox/status"
            })
    void c61_aSandboxWhereNoneIsTakenIsRefused(String method) {
        try (WireClient client = WireClient.connect(SERVER.port())) {
            client.handshake();
            Answer answer = client.send(method, params()).answer();
            assertThat(answer.errorCode()).isEqualTo(-32602);
            assertThat(answer.errorMessage()).startsWith("`sandbox` has no effect on " + method + ": ");
            assertThat(answer.error().path("data").path("reason").asText()).isEqualTo("sandboxNotTaken");
            client.roundTrip();
        }
    }

    @Test
    void aSandboxThatIsNullIsNone() {
        try (WireClient client = WireClient.connect(SERVER.port())) {
            client.handshake();
            client.send("fs/watch", ((ObjectNode) params()).putNull("sandbox")).result();
            client.send("process/list", Json.object("sandbox", null)).result();
        }
    }

    @Test
    void theStrictDialectIgnoresWhatItsProtocolDoesNotHave() {
        try (ServerProcess strict = ServerProcess.listening("--protocol", "strict");
                WireClient client = WireClient.connect(strict.port())) {
            client.handshake();
            assertThat(client.send("fs/watchMissing", params())
                            .result()
                            .path("watching")
                            .asBoolean())
                    .isTrue();
        }
    }
}
