package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.MessageComparison;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Transcript;
import dev.execserver.it.support.WireClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sends again what the real client of the reference has sent, lost connections included. Compared are errors, the shape of
 * results, and of each process all its output and its exit code; what a machine or its speed decides is not.
 */
@Timeout(90)
class RealClientTranscriptsIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int STILL_ATTACHED = -32010;

    /** Death by signal N is 128 + N on a terminal too; the reference reports 1. */
    private static final int INTERRUPTED = 130;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path directory;

    private final MessageComparison likeness =
            new MessageComparison(Set.of("features", "firstSeq", "droppedBytes", "usage", "sandboxBackend", "data"));
    private final Map<Integer, WireClient> connections = new HashMap<>();
    private final Map<String, Call> calls = new HashMap<>();
    private final Map<String, TreeMap<Long, byte[]>> recorded = new HashMap<>();
    private final Map<String, TreeMap<Long, byte[]>> polled = new HashMap<>();
    private String session = "";

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "08-session-resume, ''",
        "20-real-client-full-access-pty, '# agents\n'",
        "22-real-client-read-only, '# agents changed\n'",
        "23-real-client-reconnect-lost-write-response, '# agents changed\n'",
        "24-real-client-reconnect-output-gap, '# agents changed\n'"
    })
    void theConversationRepeats(String name, String agents) throws IOException {
        Path workspace = Files.createDirectories(directory.resolve("ws/.git")).getParent();
        Files.createDirectories(directory.resolve("tmp/.git"));
        Files.writeString(workspace.resolve("AGENTS.md"), agents);
        for (Transcript.Line line : Transcript.load(name).lines()) {
            int connection = line.entry().path("conn").asInt();
            WireClient client = connections.computeIfAbsent(connection, number -> SERVER.silentClient());
            if (line.event()) {
                happened(line, client);
            } else if (line.fromClient()) {
                send(connection, client, edited(line.message()));
            } else if (line.message().has("method")) {
                notified(client, line.message());
            } else {
                answered(connection, client, edited(line.message()));
            }
        }
        assertThat(recorded).isNotEmpty();
    }

    /** A login shell would say what the profile of this machine says. */
    private JsonNode edited(JsonNode message) {
        return Json.parse(message.toString()
                .replace("\"-lc\"", "\"-c\"")
                .replace(
                        "file:///ws", directory.resolve("ws").toUri().toString().replaceFirst("/$", ""))
                .replace("file:///tmp/.git", "file://" + directory.resolve("tmp/.git"))
                .replace("file:///.git", "file://" + directory.resolve("none/.git"))
                .replace("THREAD_1", "0198b2a4-0000-7000-8000-000000000001")
                .replace("SESSION_1", session));
    }

    private static void happened(Transcript.Line line, WireClient client) {
        if (!line.fromClient() && line.entry().get("event").asText().equals("connection closed")) {
            client.cut();
        }
    }

    private void send(int connection, WireClient client, JsonNode message) {
        if (message.has("id")) {
            calls.put(connection + "/" + message.get("id"), client.send(message));
        } else {
            client.sendText(message.toString());
        }
    }

    private void answered(int connection, WireClient client, JsonNode expected) {
        JsonNode received = answer(connection, client, expected).message();
        if (expected.has("error")) {
            assertThat(likeness.difference(expected, received)).isEmpty();
            return;
        }
        JsonNode result = received.path("result");
        ObjectNode wanted = expected.get("result").deepCopy();
        if (wanted.has("sessionId")) {
            session = result.get("sessionId").asText();
        }
        if (wanted.has("chunks")) {
            String process = recorded.keySet().iterator().next(); // there is one in each of these
            keep(wanted, recorded.get(process));
            keep(result, polled.computeIfAbsent(process, id -> new TreeMap<>()));
            // How far the process was is a matter of time.
            List.of("chunks", "exited", "exitCode", "closed").forEach(name -> wanted.set(name, result.get(name)));
        }
        assertThat(likeness.shapeDifference(wanted, result)).as("%s", received).isEmpty();
    }

    private static void keep(JsonNode read, TreeMap<Long, byte[]> pieces) {
        read.get("chunks").forEach(chunk -> pieces.put(chunk.get("seq").asLong(), Json.bytes(chunk.get("chunk"))));
    }

    /** A server may take a moment to notice that a connection is gone. */
    private Answer answer(int connection, WireClient client, JsonNode expected) {
        String key = connection + "/" + expected.get("id");
        Answer answer = calls.get(key).answer(LIMIT);
        if (!expected.path("result").has("sessionId") || !answer.failed()) {
            return answer;
        }
        return await().atMost(LIMIT)
                .until(
                        () -> client.call("initialize", "clientName", "again", "resumeSessionId", session),
                        again -> !again.failed() || again.errorCode() != STILL_ATTACHED);
    }

    private void notified(WireClient client, JsonNode message) {
        JsonNode params = message.get("params");
        String process = params.get("processId").asText();
        TreeMap<Long, byte[]> wanted = recorded.computeIfAbsent(process, id -> new TreeMap<>());
        switch (message.get("method").asText()) {
            case "process/output" -> {
                wanted.put(params.get("seq").asLong(), Json.bytes(params.get("chunk")));
                await().atMost(LIMIT)
                        .until(() -> received(process).length() >= text(wanted).length());
            }
            case "process/exited" -> {
                int code = params.get("exitCode").asInt();
                assertThat(event(client, process, "exited").get("exitCode").asInt())
                        .isEqualTo(code == 1 ? INTERRUPTED : code);
            }
            case "process/closed" -> {
                event(client, process, "closed");
                assertThat(received(process)).isEqualTo(text(wanted));
            }
            default -> throw new AssertionError("not expected in these recordings: " + message);
        }
    }

    private static JsonNode event(WireClient client, String process, String kind) {
        return await().atMost(LIMIT)
                .until(() -> client.events(process).of(kind), found -> !found.isEmpty())
                .getFirst()
                .params();
    }

    /** What has come on any connection, each piece once. */
    private String received(String process) {
        TreeMap<Long, byte[]> pieces = new TreeMap<>(polled.getOrDefault(process, new TreeMap<>()));
        connections
                .values()
                .forEach(client ->
                        client.events(process).of("output").forEach(event -> pieces.put(event.seq(), event.data())));
        return text(pieces);
    }

    private static String text(TreeMap<Long, byte[]> pieces) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        pieces.values().forEach(joined::writeBytes);
        return joined.toString(UTF_8);
    }
}
