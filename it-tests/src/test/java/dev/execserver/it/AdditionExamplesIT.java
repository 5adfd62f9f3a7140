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
import java.util.List;
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
 * vary are left out of it or written as three dots.
 */
@Timeout(120)
class AdditionExamplesIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final String PLACE = "file:///WORK";
    private static final String SESSION = "SESSION_1";

    @TempDir(factory = VarTmp.class)
    private Path directory;

    private final BlockingQueue<JsonNode> received = new LinkedBlockingQueue<>();
    private final List<JsonNode> waiting = new ArrayList<>();

    /** Puts whole messages into the queue. */
    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

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
    }

    @Test
    void theServerAnswersAsThePagesShow() throws Exception {
        String place = "file://" + directory;
        try (HttpClient http = HttpClient.newHttpClient()) {
            WebSocket socket = http.newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + SERVER.port()), new Receiver())
                    .get(30, TimeUnit.SECONDS);
            JsonNode question = Json.object();
            String session = SESSION;
            for (String line : Files.readAllLines(Path.of("src/test/resources/examples/additions.jsonl"))) {
                JsonNode row = Json.parse(line.replace(PLACE, place).replace(SESSION, session));
                JsonNode message = row.get("msg");
                if (row.get("dir").textValue().equals("c2s")) {
                    if (!message.has("method")) {
                        ((ObjectNode) message).set("id", question.get("id"));
                    }
                    socket.sendText(message.toString(), true).get(30, TimeUnit.SECONDS);
                } else {
                    JsonNode found = await(message);
                    session = found.at("/result/sessionId").asText(session);
                    question = found.has("method") && found.has("id") ? found : question;
                }
            }
            socket.abort();
        }
    }

    /** Waits for a message like this one; others may come before it. */
    private JsonNode await(JsonNode expected) throws InterruptedException {
        while (true) {
            for (JsonNode message : waiting) {
                if (alike(expected, message)) {
                    waiting.remove(message);
                    return message;
                }
            }
            JsonNode next = received.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("nothing like %s among %s", expected, waiting).isNotNull();
            waiting.add(next);
        }
    }

    private static boolean alike(JsonNode expected, JsonNode message) {
        JsonNode wanted = expected.deepCopy();
        if (wanted.has("method")) {
            ((ObjectNode) wanted).remove("id"); // of a question of the server
        }
        return Examples.alike(wanted.toString(), message.toString());
    }
}
