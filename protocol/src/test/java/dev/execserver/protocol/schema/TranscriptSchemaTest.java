package dev.execserver.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recorded conversations of the reference server and its clients against the schema: what was answered well is valid, and
 * what was refused as params that cannot be read is not.
 */
class TranscriptSchemaTest {

    private static final Path TRANSCRIPTS = SchemaFiles.REPOSITORY.resolve("it-tests/src/test/resources/transcripts");
    private static final int INVALID_PARAMS = -32602;

    /** Conversations that break a rule on purpose: an id is used twice; an answer is nonsense. */
    private static final Set<String> NONSENSE = Set.of(
            "14-envelope-edge-cases.jsonl initialize result", "15-network-proxy.jsonl network/policyRequest result");

    /** Long strings are cut in the recordings. */
    private static final Pattern CUT = Pattern.compile("\\.\\.\\.|\u2026|<\\d+ (?:chars|bytes)");

    /** Clients may send members that nobody knows, the server sends none. */
    private record Sides(Validators client, Validators server) {

        Validators of(String method, String part) {
            boolean client = client().method(method).path("sender").asText().equals("client");
            return client == part.equals("params") ? client() : server();
        }
    }

    private final ObjectMapper mapper = new ObjectMapper();
    private final List<String> problems = new ArrayList<>();
    private int checked;

    @ParameterizedTest
    @CsvSource({"exec,,200", "app,app,200"})
    void recordedConversationsAreAsTheSchemaSays(String dialect, String folder, int atLeast) throws IOException {
        Sides validators = new Sides(new Validators(dialect, false), new Validators(dialect, true));
        try (var files = Files.list(folder == null ? TRANSCRIPTS : TRANSCRIPTS.resolve(folder))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList()) {
                conversation(validators, file);
            }
        }
        assertThat(problems).isEmpty();
        assertThat(checked).isGreaterThan(atLeast);
    }

    private void conversation(Sides validators, Path file) throws IOException {
        Map<String, JsonNode> asked = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode row = mapper.readTree(line);
            JsonNode message = row.path("msg");
            String sender = row.path("dir").asText();
            String id = sender + message.path("id");
            if (message.has("method") && message.has("id")) {
                asked.put((other(sender)) + message.get("id"), message);
            } else if (message.has("method")) {
                check(validators, file, message.get("method").asText(), "params", message.get("params"));
            } else if (asked.get(id) instanceof JsonNode request) {
                String method = request.get("method").asText();
                if (message.has("result")) {
                    check(validators, file, method, "params", request.get("params"));
                    check(validators, file, method, "result", message.get("result"));
                } else if (message.path("error").path("code").asInt() == INVALID_PARAMS) {
                    refused(validators, file, method, request.get("params"), message);
                }
            }
        }
    }

    private static String other(String sender) {
        return switch (sender) {
            case "c2s" -> "s2c";
            case "s2c" -> "c2s";
            case "out" -> "in";
            default -> "out";
        };
    }

    private void check(Sides validators, Path file, String method, String part, JsonNode value) {
        Validators side = validators.of(method, part);
        JsonNode reference = side.method(method).path(part).path("$ref");
        String place = file.getFileName() + " " + method + " " + part;
        boolean cut = value == null || CUT.matcher(value.toString()).find();
        if (reference.isMissingNode() || cut || NONSENSE.contains(place)) {
            return;
        }
        checked++;
        side.problems(reference.asText(), value).forEach(problem -> problems.add(place + " " + problem));
    }

    private void refused(Sides validators, Path file, String method, JsonNode params, JsonNode answer) {
        Validators side = validators.client();
        JsonNode reference = side.method(method).path("params").path("$ref");
        String text = answer.path("error").path("message").asText();
        if (!reference.isMissingNode() && params != null && UnsayableErrors.isSayable(text)) {
            checked++;
            if (side.problems(reference.asText(), params).isEmpty()) {
                problems.add(file.getFileName() + " " + method + " is valid although it was refused: " + params + " "
                        + text);
            }
        }
    }
}
