package dev.execserver.it.support;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Access log in JSON that a server under test writes. The test's thread calls. */
public record AccessLogFile(Path path) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Starts a server that writes this file. */
    public ServerProcess server(List<String> options, List<String> more) {
        List<String> all = new ArrayList<>(List.of("--access-log", "json", "--access-log-file", path.toString()));
        all.addAll(options);
        all.addAll(more);
        return ServerProcess.listening(all.toArray(String[]::new));
    }

    public String text() {
        try {
            return Files.exists(path) ? Files.readString(path) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the whole lines. */
    public List<JsonNode> all() {
        String text = text();
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(Json::parse)
                .toList();
    }

    /** Returns the lines of one kind. */
    public List<JsonNode> lines(String kind) {
        return all().stream()
                .filter(line -> line.get("event_name").asText().equals(kind))
                .toList();
    }

    /** Waits for the first line of a kind. */
    public JsonNode await(String kind) {
        return Awaitility.await()
                .alias(kind)
                .atMost(LIMIT)
                .until(() -> lines(kind), lines -> !lines.isEmpty())
                .getFirst();
    }

    /** Waits for the first line of a kind with this member. */
    public JsonNode await(String kind, String member, String value) {
        return Awaitility.await()
                .alias(kind + " " + value)
                .atMost(LIMIT)
                .until(
                        () -> lines(kind).stream()
                                .filter(line -> line.path(member).asText().equals(value))
                                .toList(),
                        lines -> !lines.isEmpty())
                .getFirst();
    }
}
