package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.MessageComparison;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Transcript;
import dev.execserver.it.support.WireClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Plays the client's half of the recorded conversation about network proxies: questions, decisions, refusals. The web server
 * of the recording is made again here. Not compared: ports, times, the borders of pieces, and of an answer of the proxy the
 * lines that say when, how long and that it is the last one.
 */
@Timeout(90)
class NetworkTranscriptIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Set<String> OPEN = Set.of("features", "firstSeq", "droppedBytes", "usage");

    private static RawHttpServer http;

    @BeforeAll
    static void start() {
        http = RawHttpServer.answering((request, out) -> {
            out.write(RawHttpServer.ok("srv"));
            throw new IOException("closed");
        });
    }

    @AfterAll
    static void stop() {
        http.close();
    }

    abstract static class Replays {
        private final SharedServer server;
        private final MessageComparison likeness;
        private final Map<String, Call> calls = new HashMap<>();
        private final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();
        private WireClient client;

        Replays(SharedServer server, Set<String> additive) {
            this.server = server;
            this.likeness = new MessageComparison(additive);
        }

        @Test
        void questionsDecisionsAndRefusals() {
            client = server.silentClient();
            for (Transcript.Line line :
                    Transcript.load("15-network-proxy", Replays::edited).lines()) {
                JsonNode message = line.message();
                if (line.fromClient()) {
                    send(message);
                } else if (message.path("method").asText().startsWith("network/")) {
                    same(line, likeNetwork(message), client.nextNetwork());
                } else if (message.has("method")) {
                    notified(line, message.get("params"));
                } else {
                    answered(line);
                }
            }
            client.roundTrip();
            assertThat(client.strayCount())
                    .as("messages that were not recorded")
                    .isZero();
        }

        private static String edited(String line) {
            return line.replace("//127.0.0.1:PORT/", "//127.0.0.1:" + http.port() + "/");
        }

        /** Requests of the client, and its answers to the server's. */
        private void send(JsonNode message) {
            if (message.has("id") && message.has("method")) {
                calls.put(message.get("id").asText(), client.send(message));
            } else {
                client.sendText(message.toString());
            }
        }

        private static JsonNode likeNetwork(JsonNode message) {
            ObjectNode like = message.deepCopy();
            if (like.get("params") instanceof ObjectNode params && params.has("timestamp")) {
                params.put("timestamp", "*").put("client", "*");
            }
            return like;
        }

        private void notified(Transcript.Line line, JsonNode params) {
            String id = params.get("processId").asText();
            ByteArrayOutputStream output = outputs.computeIfAbsent(id, key -> new ByteArrayOutputStream());
            if (params.has("chunk")) {
                output.writeBytes(Json.bytes(params.get("chunk")));
                return;
            }
            JsonNode received = event(id, params.has("exitCode") ? "exited" : "closed");
            same(line, params.<ObjectNode>deepCopy().put("seq", "*"), received);
            if (!params.has("exitCode")) {
                assertThat(plain(client.events(id).output())).isEqualTo(plain(output.toByteArray()));
            }
        }

        private JsonNode event(String processId, String kind) {
            return await().atMost(LIMIT)
                    .until(() -> client.events(processId).of(kind), found -> !found.isEmpty())
                    .getFirst()
                    .params();
        }

        private void answered(Transcript.Line line) {
            JsonNode received =
                    calls.get(line.message().get("id").asText()).answer(LIMIT).message();
            ObjectNode expected = line.message().deepCopy();
            if (expected.get("result") instanceof ObjectNode result && result.has("chunks")) {
                assertThat(plain(RemoteProcess.bytes(received.get("result"))))
                        .isEqualTo(plain(RemoteProcess.bytes(result)));
                result.set("chunks", received.get("result").get("chunks"));
                result.put("nextSeq", "*");
            }
            same(line, expected, received);
        }

        private void same(Transcript.Line line, JsonNode expected, JsonNode received) {
            assertThat(likeness.difference(expected, received))
                    .as("line %d: %s", line.number(), received)
                    .isEmpty();
        }

        /** Leaves out what differs from run to run, and what the body of a refusal says beyond the recording. */
        private static String plain(byte[] output) {
            return new String(output, UTF_8)
                    .replaceAll(",\"rule\":\".*\"}(?=\n)", "}")
                    .replaceAll("(?im)^(date|content-length|connection): .*\\R", "")
                    .replaceAll("upstream failure: .*", "upstream failure");
        }
    }

    @Nested
    class Open extends Replays {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with();

        Open() {
            super(SERVER, OPEN);
        }
    }

    @Nested
    class Strict extends Replays {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with("--protocol", "strict");

        Strict() {
            super(SERVER, Set.of());
        }
    }
}
