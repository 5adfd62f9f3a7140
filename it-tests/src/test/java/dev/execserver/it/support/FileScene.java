package dev.execserver.it.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The environment of the recorded transcripts of the {@code fs/*} methods: the files that existed, the steps that the
 * recording left out, and the parts of the answers that depend on that machine.
 */
public final class FileScene {
    /** The folder of the recording. */
    private static final String RECORDED = "/fsx";

    private static final int BIG_BYTES = 3_000_000;
    private static final int CUT_CHARS = 1_398_104;

    private final Path directory;

    public FileScene(Path directory) throws IOException {
        this.directory = directory;
        Files.createSymbolicLink(directory.resolve("ln"), Path.of("f.txt"));
        Files.createSymbolicLink(directory.resolve("dirln"), Path.of("a"));
        Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nowhere"));
    }

    /** Adds the file that only transcript 06 needs. */
    public FileScene withBigFile() throws IOException {
        Files.writeString(directory.resolve("big"), "a".repeat(BIG_BYTES));
        return this;
    }

    /** Adds f.txt; only transcript 05 makes it itself. */
    public FileScene withFile() throws IOException {
        Files.writeString(directory.resolve("f.txt"), "hello\n");
        return this;
    }

    /** Returns a line of the recording with the paths of this machine. */
    public String edit(String line) {
        return line.replace(RECORDED, directory.toString());
    }

    /** Returns a request with the long strings that the recording has cut. */
    public JsonNode complete(JsonNode request) {
        JsonNode chunk = request.path("params").path("chunk");
        if (!chunk.asText().endsWith(" chars>")) {
            return request;
        }
        ObjectNode whole = request.deepCopy();
        ((ObjectNode) whole.get("params")).put("chunk", "A".repeat(CUT_CHARS));
        return whole;
    }

    /** Does the steps before this message that the recording left out. */
    public void before(JsonNode message, WireClient client) {
        try {
            if (message.path("method").asText().equals("fs/missingChanged")) {
                Files.writeString(directory.resolve("later"), "");
            } else if (message.path("params").path("handleId").asText().equals("q127")) {
                for (int i = 0; i < 127; i++) {
                    client.call("fs/open", "handleId", "q" + i, "path", "file://" + directory + "/big")
                            .result();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the message without the parts that depend on the machine: times, sizes of directories, the order of a
     * directory.
     */
    public JsonNode comparable(JsonNode message) {
        JsonNode copy = message.deepCopy();
        JsonNode result = copy.path("result");
        if (result.has("modifiedAtMs")) {
            ((ObjectNode) result).put("modifiedAtMs", "*").put("createdAtMs", "*");
            if (result.get("isDirectory").booleanValue()) {
                ((ObjectNode) result).put("size", "*");
            }
        }
        return sorted(copy);
    }

    /** Returns the message with the entries of a directory sorted by name. */
    public static JsonNode sorted(JsonNode message) {
        JsonNode copy = message.deepCopy();
        JsonNode result = copy.path("result");
        if (result.path("entries").path(0).has("fileName")) {
            List<JsonNode> entries = new ArrayList<>();
            result.get("entries").forEach(entries::add);
            entries.sort(Comparator.comparing(entry -> entry.get("fileName").textValue()));
            ((ObjectNode) result).putArray("entries").addAll(entries);
        }
        return copy;
    }
}
