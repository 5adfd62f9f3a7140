package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Call;
import dev.execserver.it.support.FileScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.MessageComparison;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Transcript;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Plays the client's half of the recorded conversations about files; see {@link TranscriptReplayIT} for all others. */
@Timeout(60)
class FileTranscriptsIT {
    /** Answers that differ from the recording on purpose, by file and id. */
    private static final Map<String, String> OURS = Map.of(
            // a link that leads nowhere is listed: it is there
            "05/33",
            "{'id':33,'result':{'entries':[{'fileName':'a','isDirectory':true,'isFile':false},"
                    + "{'fileName':'dangling','isDirectory':false,'isFile':false},"
                    + "{'fileName':'dirln','isDirectory':true,'isFile':false},"
                    + "{'fileName':'f.txt','isDirectory':false,'isFile':true},"
                    + "{'fileName':'ln','isDirectory':false,'isFile':true},"
                    + "{'fileName':'new2','isDirectory':false,'isFile':true}]}}",
            // native paths are taken beside URIs
            "05/15 open",
            "{'id':15,'result':{'dataBase64':'aGVsbG8K'}}");

    @TempDir
    private Path directory;

    abstract class Replays {
        private final SharedServer server;
        private final boolean open;

        Replays(SharedServer server, boolean open) {
            this.server = server;
            this.open = open;
        }

        @Test
        void pathsAndTrees() throws IOException {
            replay("05-fs-basic", new FileScene(directory));
        }

        @Test
        void handlesAndBlocks() throws IOException {
            replay("06-fs-streams", new FileScene(directory).withBigFile());
        }

        @Test
        void watchesForMissingPaths() throws IOException {
            replay("07-fs-watch-missing", new FileScene(directory).withFile());
        }

        private void replay(String name, FileScene scene) {
            WireClient client = server.silentClient();
            MessageComparison likeness = new MessageComparison(open ? Set.of("features", "data") : Set.of("data"));
            Map<String, Call> calls = new HashMap<>();
            for (Transcript.Line line : Transcript.load(name, scene::edit).lines()) {
                JsonNode message = line.message();
                scene.before(message, client);
                if (!line.fromClient()) {
                    JsonNode received = message.has("id")
                            ? calls.get(message.get("id").asText()).answer().message()
                            : client.nextStray();
                    JsonNode expected = scene.comparable(ours(name, message));
                    assertThat(likeness.difference(expected, scene.comparable(received)))
                            .as("line %d of %s: %s", line.number(), name, received)
                            .isEmpty();
                } else if (message.has("id")) {
                    calls.put(message.get("id").asText(), client.send(scene.complete(message)));
                } else {
                    client.sendText(message.toString());
                }
            }
            client.roundTrip();
            assertThat(client.strayCount())
                    .as("messages that were not recorded")
                    .isZero();
        }

        private JsonNode ours(String name, JsonNode recorded) {
            String place = name.substring(0, 2) + "/" + recorded.path("id").asText();
            String text = OURS.getOrDefault(place + (open ? " open" : " strict"), OURS.get(place));
            return text == null ? recorded : Json.parse(text.replace('\'', '"'));
        }
    }

    @Nested
    class Open extends Replays {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with();

        Open() {
            super(SERVER, true);
        }
    }

    @Nested
    class Strict extends Replays {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with("--protocol", "strict");

        Strict() {
            super(SERVER, false);
        }
    }
}
