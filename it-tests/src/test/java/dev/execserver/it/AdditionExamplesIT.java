package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Examples;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.VarTmp;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conversation in {@code examples/additions.jsonl}, which the reference pages show, is what the server says. Members that
 * vary are left out of it or written as three dots. Rows with {@code by} are those of another connection.
 */
@Timeout(120)
class AdditionExamplesIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final String PLACE = "file:///WORK";

    /** Words of the file that stand for what the server has chosen, and where it says so. */
    private static final Map<String, String> CHOSEN =
            Map.of("SESSION_1", "/result/sessionId", "TOKEN_1", "/result/token", "APPROVER_1", "/result/approverId");

    @TempDir(factory = VarTmp.class)
    private Path directory;

    /** A connection, and what it has received and nobody has looked at. */
    private static final class Peer implements WebSocket.Listener {
        private final BlockingQueue<JsonNode> received = new LinkedBlockingQueue<>();
        private final List<JsonNode> waiting = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private JsonNode question = Json.object();
        private WebSocket socket;

        static Peer connect(HttpClient http) {
            Peer peer = new Peer();
            peer.socket = http.newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + SERVER.port()), peer)
                    .join();
            return peer;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                received.add(Json.parse(text.toString()));
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        void send(JsonNode message) throws Exception {
            if (!message.has("method")) {
                ((ObjectNode) message).set("id", question.get("id"));
            }
            socket.sendText(message.toString(), true).get(30, TimeUnit.SECONDS);
        }

        /** Waits for a message like this one; others may come before it. */
        JsonNode await(JsonNode expected) throws InterruptedException {
            while (true) {
                for (JsonNode message : waiting) {
                    if (alike(expected, message)) {
                        waiting.remove(message);
                        question = message.has("method") && message.has("id") ? message : question;
                        return message;
                    }
                }
                JsonNode next = received.poll(30, TimeUnit.SECONDS);
                assertThat(next)
                        .as("nothing like %s among %s", expected, waiting)
                        .isNotNull();
                waiting.add(next);
            }
        }
    }

    @Test
    void theServerAnswersAsThePagesShow() throws Exception {
        Map<String, String> chosen = new HashMap<>(Map.of(PLACE, "file://" + directory));
        Map<String, Peer> peers = new HashMap<>();
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (String line : Files.readAllLines(Path.of("src/test/resources/examples/additions.jsonl"))) {
                JsonNode row = Json.parse(filled(line, chosen));
                Peer peer = peers.computeIfAbsent(row.path("by").asText(), _ -> Peer.connect(http));
                if (row.get("dir").textValue().equals("c2s")) {
                    peer.send(row.get("msg"));
                } else {
                    JsonNode found = peer.await(row.get("msg"));
                    CHOSEN.forEach((word, place) -> {
                        if (!found.at(place).isMissingNode()) {
                            chosen.putIfAbsent(word, found.at(place).textValue());
                        }
                    });
                }
            }
            peers.values().forEach(peer -> peer.socket.abort());
        }
    }

    private static String filled(String line, Map<String, String> words) {
        String filled = line;
        for (Map.Entry<String, String> word : words.entrySet()) {
            filled = filled.replace(word.getKey(), word.getValue());
        }
        return filled;
    }

    private static boolean alike(JsonNode expected, JsonNode message) {
        JsonNode wanted = expected.deepCopy();
        if (wanted.has("method")) {
            ((ObjectNode) wanted).remove("id"); // of a question of the server
        }
        return Examples.alike(wanted.toString(), message.toString());
    }
}
