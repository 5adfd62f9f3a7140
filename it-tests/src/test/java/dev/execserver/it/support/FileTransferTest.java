package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.RawHttpClient.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Base of the tests of {@code /files}: a directory for each test, three servers for all of them, and helper methods. */
public abstract class FileTransferTest {

    protected static final String AUTH = "|Host: 127.0.0.1|Authorization: Bearer secret";

    @TempDir
    static Path shared;

    protected static ServerProcess server;
    protected static ServerProcess open;
    protected static ServerProcess hasty;

    @TempDir
    protected Path directory;

    @BeforeAll
    static void start() throws IOException {
        String token = Files.writeString(shared.resolve("token"), "secret").toString();
        server = ServerProcess.listening(
                "--ws-auth", "capability-token", "--ws-token-file", token, "--allowed-hosts", "box.example");
        hasty = ServerProcess.listening(
                "--ws-auth",
                "capability-token",
                "--ws-token-file",
                token,
                "--request-timeout",
                "2s",
                "--origin-guard",
                "off");
        open = ServerProcess.listening();
    }

    @AfterAll
    static void stop() {
        server.close();
        hasty.close();
        open.close();
    }

    protected static String line(String method, Path path) {
        return method + " /files?path=" + path + " HTTP/1.1" + AUTH;
    }

    protected static Response ask(String head) throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            return http.head(head).response(!head.startsWith("HEAD"));
        }
    }

    protected static Response put(Path path, String headers, String body) throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(line("PUT", path) + "|Content-Length: " + body.length() + headers);
            return http.bytes(body.getBytes(UTF_8)).response();
        }
    }

    protected static JsonNode error(Response response, int status) {
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        assertThat(response.header("content-type")).contains("application/json");
        return Json.parse(response.text()).get("error");
    }

    protected Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("file"), content);
    }

    protected List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    protected static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as(String.join(" ", command))
                .isZero();
    }
}
