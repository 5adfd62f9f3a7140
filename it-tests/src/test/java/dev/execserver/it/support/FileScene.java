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
 * The files that stood around when the transcripts of the {@code fs/*} methods were recorded, what the recording left out,
 * and which parts of its answers are facts of that machine.
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

    /** Only transcript 06 has it. */
    public FileScene withBigFile() throws IOException {
        Files.writeString(directory.resolve("big"), "a".repeat(BIG_BYTES));
        return this;
    }

    /** Only transcript 05 makes f.txt itself. */
    public FileScene withFile() throws IOException {
        Files.writeString(directory.resolve("f.txt"), "hello\n");
        return this;
    }

    /** A line of the recording as it must read here. */
    public String edit(String line) {
        return line.replace(RECORDED, directory.toString());
    }

    /** A request as it was before long strings were cut. */
    public JsonNode complete(JsonNode request) {
        JsonNode chunk = request.path("params").path("chunk");
        if (!chunk.asText().endsWith(" chars>")) {
            return request;
        }
        ObjectNode whole = request.deepCopy();
        ((ObjectNode) whole.get("params")).put("chunk", "A".repeat(CUT_CHARS));
        return whole;
    }

    /** What happened before this message and is not in the recording. */
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

    /** The message without what depends on the machine: times, sizes of directories, the order of a directory. */
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

    /** The message with the entries of a directory in the order of their names. */
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
