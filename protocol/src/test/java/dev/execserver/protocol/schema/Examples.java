package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Examples of messages: the first short one of the recorded conversations, which a test replays. */
final class Examples {

    private static final Path TRANSCRIPTS = SchemaFiles.REPOSITORY.resolve("it-tests/src/test/resources/transcripts");

    /** Additions to the protocol, which no other server has; {@code AdditionExamplesIT} replays them. */
    private static final Path ADDITIONS = SchemaFiles.REPOSITORY.resolve("it-tests/src/test/resources/examples");

    private static final int LONGEST = 700;

    private final ObjectMapper mapper = new ObjectMapper();
    private final Map<String, String> found = new HashMap<>();

    private Examples() {}

    static Examples load() {
        Examples examples = new Examples();
        examples.read("exec", TRANSCRIPTS);
        examples.read("app", TRANSCRIPTS.resolve("app"));
        examples.read("exec", ADDITIONS);
        return examples;
    }

    Optional<String> of(String dialect, Message message) {
        return Optional.ofNullable(found.get(dialect + message.method()));
    }

    private void read(String dialect, Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> conversations = files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
            for (Path file : conversations) {
                Map<String, JsonNode> asked = new HashMap<>();
                for (String line : Files.readAllLines(file)) {
                    take(dialect, asked, mapper.readTree(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(String dialect, Map<String, JsonNode> asked, JsonNode row) {
        JsonNode message = row.path("msg");
        String method = message.path("method").asText();
        if (!message.isObject()) {
            return;
        }
        if (message.has("method") && message.has("id")) {
            asked.put(message.get("id").toString(), message);
        } else if (message.has("method")) {
            put(dialect + method, clean(message).toString());
        } else if (message.has("result") && asked.remove(message.get("id").toString()) instanceof JsonNode request) {
            String exchange = clean(request) + "\n" + clean(message);
            put(dialect + request.get("method").asText(), exchange);
        }
    }

    private static JsonNode clean(JsonNode message) {
        ObjectNode copy = message.deepCopy();
        copy.remove("emittedAtMs");
        return copy;
    }

    private void put(String key, String example) {
        boolean shown = example.length() <= LONGEST && !example.contains("\u2026") && !example.contains("...<");
        if (shown) {
            found.putIfAbsent(key, example);
        }
    }
}
