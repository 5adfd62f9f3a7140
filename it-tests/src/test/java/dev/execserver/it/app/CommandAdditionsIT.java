package dev.execserver.it.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.SharedServer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Additions to the commands of the app-server dialect: a kind of terminal, and time to end. */
@Timeout(120)
class CommandAdditionsIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private AppClient client;

    @BeforeEach
    void connect() {
        client = AppClient.connect(SERVER.port()).handshake(true);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static JsonNode result(JsonNode answer) {
        assertThat(answer.has("result")).as("a result: %s", answer).isTrue();
        return answer.get("result");
    }

    private static String[] shell(String script) {
        return new String[] {"sh", "-c", script};
    }

    @Test
    void aTerminalHasAKindUnlessTheClientSaysOtherwise() {
        Map<String, JsonNode> environments = Map.of(
                System.getenv().getOrDefault("TERM", "xterm-256color"),
                Json.object(), // the server has that of the test
                "vt100",
                Json.object("TERM", "vt100"),
                "none",
                Json.object("TERM", null));
        environments.forEach((kind, environment) -> {
            int command = client.send(
                    "command/exec",
                    "command",
                    shell("env | grep ^TERM= || echo TERM=none"),
                    "processId",
                    kind,
                    "tty",
                    true,
                    "env",
                    environment);
            client.awaitOutput(kind, "TERM=" + kind);
            result(client.answer(command));
        });
    }

    @Test
    void aCommandMayGetTimeToEnd() {
        int command = client.send(
                "command/exec",
                "command",
                shell("trap 'echo tidied; exit 7' TERM; echo ready; while :; do sleep 0.1; done"),
                "processId",
                "g",
                "streamStdoutStderr",
                true,
                "disableTimeout",
                true);
        client.awaitOutput("g", "ready");
        result(client.call("command/exec/terminate", "processId", "g", "graceMs", 30_000));

        client.awaitOutput("g", "tidied");
        assertThat(result(client.answer(command)).get("exitCode").asInt()).isEqualTo(7);
    }
}
