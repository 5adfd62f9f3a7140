package dev.execserver.it.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.TranscriptReplay;
import dev.execserver.it.support.WireClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A fleet is never of one age: the image serves the clients of every era of the protocol. */
@Timeout(120)
class RollingIT {
    private static final Map<String, String> ENV = Map.of("PATH", "/usr/bin:/bin");

    private static ServerContainer server;

    @BeforeAll
    static void start() {
        server = ServerContainer.sandboxing().started();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @FieldSource("dev.execserver.it.support.TranscriptReplay#TRANSCRIPTS")
    void recordedConversationsOfTheNewestEraRepeat(String name) {
        try (WireClient client = WireClient.connect(server.port())) {
            new TranscriptReplay(name, client, true).run();
        }
    }

    /** Native paths, no write ids, {@code afterSeq} from {@code nextSeq}, a policy by its old name. */
    @Test
    void clientOfTheFirstEra() {
        try (WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            client.call(
                            "process/start",
                            "processId",
                            "a",
                            "argv",
                            List.of("cat"),
                            "cwd",
                            "/workspace",
                            "env",
                            ENV,
                            "tty",
                            false,
                            "pipeStdin",
                            true,
                            "arg0",
                            null)
                    .result();
            client.call("process/write", "processId", "a", "chunk", Json.base64("first\n"))
                    .result();
            assertThat(polled(client, "a", "first\n")).isEqualTo("first\n");
            client.call("process/terminate", "processId", "a").result();

            JsonNode started = client.call(
                            "process/start",
                            "processId",
                            "b",
                            "argv",
                            List.of("sh", "-c", "echo x > /workspace/b"),
                            "cwd",
                            "/workspace",
                            "env",
                            ENV,
                            "tty",
                            false,
                            "arg0",
                            null,
                            "sandbox",
                            Json.object(
                                    "sandboxPolicy",
                                    Json.object("type", "read-only"),
                                    "sandboxPolicyCwd",
                                    "/workspace"))
                    .result();
            assertThat(started.get("processId").asText()).isEqualTo("b");
            assertThat(polled(client, "b", "Read-only file system")).contains("/workspace/b");
        }
    }

    /** Sessions that are resumed, permissions with plain paths. */
    @Test
    void clientOfTheSecondEra() {
        String session;
        try (WireClient client = WireClient.connect(server.port())) {
            session = client.handshake().get("sessionId").asText();
            JsonNode entries = Json.parse("[{'path':{'type':'path','path':'/'},'access':'read'},".replace('\'', '"')
                    + "{'path':{'type':'path','path':'/workspace/none'},'access':'none'}]".replace('\'', '"'));
            client.call(
                            "process/start",
                            "processId",
                            "c",
                            "argv",
                            List.of("sh", "-c", "echo resumed; sleep 60"),
                            "cwd",
                            "file:///workspace",
                            "env",
                            ENV,
                            "tty",
                            false,
                            "sandbox",
                            Json.object(
                                    "permissions",
                                    Json.object(
                                            "type",
                                            "managed",
                                            "network",
                                            "restricted",
                                            "file_system",
                                            Json.object("type", "restricted", "entries", entries)),
                                    "cwd",
                                    "/workspace"))
                    .result();
            client.cut();
        }
        try (WireClient client = WireClient.connect(server.port())) {
            client.call("initialize", "clientName", "second-era", "resumeSessionId", session)
                    .result();
            client.notify("initialized", Json.object());
            assertThat(polled(client, "c", "resumed")).isEqualTo("resumed\n");
            client.call("process/terminate", "processId", "c").result();
        }
    }

    private static String polled(WireClient client, String process, String expected) {
        StringBuilder text = new StringBuilder();
        long after = 0;
        for (int polls = 0; polls < 20 && text.indexOf(expected) < 0; polls++) {
            JsonNode read = client.call(
                            "process/read",
                            "processId",
                            process,
                            "afterSeq",
                            after,
                            "maxBytes",
                            65_536,
                            "waitMs",
                            2_000)
                    .result();
            read.get("chunks").forEach(chunk -> text.append(new String(Json.bytes(chunk.get("chunk")), UTF_8)));
            after = read.get("nextSeq").longValue() - 1;
        }
        return text.toString();
    }
}
