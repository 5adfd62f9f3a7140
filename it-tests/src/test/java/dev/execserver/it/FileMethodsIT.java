package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.FileScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.MessageComparison;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table {@code fs-table.txt}: one row for each line of the specification of the {@code fs/*} methods. */
@Timeout(30)
class FileMethodsIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path directory;

    /** A row of the table. */
    record Row(String method, String params, String expected, String state) {
        static Row of(String line) {
            String[] cells = line.split(" \\|( |$)", -1);
            return new Row(cells[0], cells[1], cells[2], cells[3].strip());
        }

        @Override
        public String toString() {
            return method + " " + params + " -> " + expected;
        }
    }

    static List<Row> rows() throws IOException {
        try (InputStream table = FileMethodsIT.class.getResourceAsStream("/fs-table.txt")) {
            return new String(table.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Row::of)
                    .toList();
        }
    }

    @BeforeEach
    void makeScene() throws Exception {
        Files.writeString(directory.resolve("f"), "hello");
        Files.createLink(directory.resolve("hard"), directory.resolve("f"));
        Files.createSymbolicLink(directory.resolve("ln"), Path.of("f"));
        Files.createDirectories(directory.resolve("d/sub"));
        Files.writeString(directory.resolve("d/x"), "x");
        Files.writeString(directory.resolve("d/sub/y"), "y");
        Files.createSymbolicLink(directory.resolve("dl"), Path.of("d"));
        Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nowhere"));
        Files.createDirectory(directory.resolve("empty"));
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("fifo").toString())
                        .start()
                        .waitFor())
                .isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void everyLineOfTheSpecificationHolds(Row row) throws IOException {
        WireClient client = SERVER.client();
        if (row.method().matches("fs/(open|readBlock|writeBlock|close)")) {
            client.call("fs/open", "handleId", "h", "path", directory + "/f").result();
            client.call("fs/open", "handleId", "w", "path", directory + "/out", "mode", "replace")
                    .result();
        }

        Answer answer = client.send(row.method(), params(row, Json.parse(inScene(row.params()))))
                .answer();

        JsonNode received = FileScene.sorted(withoutData(answer.message()));
        assertThat(new MessageComparison(Set.of()).difference(expected(row, received), received))
                .as("%s", received)
                .isEmpty();
        assertThat(client.send("fs/close", Json.object("handleId", "h")).result())
                .isEmpty();
        client.call("fs/close", "handleId", "w").result();
        for (String state : row.state().split(" ")) {
            check(state.replace('␀', '\0'));
        }
    }

    /** What is sent for a row. */
    JsonNode params(Row row, JsonNode params) {
        return params;
    }

    private String inScene(String text) {
        return text.replace("$", "file://" + directory).replace("%/", directory + "/");
    }

    private static JsonNode withoutData(JsonNode message) {
        JsonNode copy = message.deepCopy();
        if (copy.has("error")) {
            ((ObjectNode) copy.get("error")).remove("data");
        }
        return copy;
    }

    private JsonNode expected(Row row, JsonNode received) {
        String expected = inScene(row.expected());
        if (expected.startsWith("{")) {
            return Json.object("id", received.get("id"), "result", Json.parse(expected));
        }
        String[] error = expected.split(" ", 2);
        return Json.object(
                "error",
                Json.object("code", Integer.parseInt(error[0]), "message", error[1]),
                "id",
                received.get("id"));
    }

    private void check(String state) throws IOException {
        if (state.startsWith("!")) {
            assertThat(Files.exists(directory.resolve(state.substring(1)), LinkOption.NOFOLLOW_LINKS))
                    .as(state)
                    .isFalse();
        } else if (state.contains("->")) {
            String[] link = state.split("->");
            assertThat(Files.readSymbolicLink(directory.resolve(link[0]))).hasToString(link[1]);
        } else if (state.contains("=")) {
            String[] file = state.split("=", 2);
            assertThat(directory.resolve(file[0])).hasContent(file[1]);
        } else if (!state.isEmpty()) {
            assertThat(directory.resolve(state)).isDirectory();
        }
    }
}
