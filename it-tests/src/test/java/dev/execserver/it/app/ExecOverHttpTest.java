package dev.execserver.it.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RawHttpClient.Response;
import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Base of the tests of {@code /v1/exec}: two servers, and helper methods. */
abstract class ExecOverHttpTest {
    protected static final String HEAD = "POST /v1/exec HTTP/1.1|Host: 127.0.0.1|Authorization: Bearer secret";
    protected static final String JSON = "|Content-Type: application/json";
    protected static final String FORM = "|Content-Type: multipart/form-data; boundary=B";
    protected static final String FREE = "\"permissionProfile\":\":danger-full-access\"";
    protected static final int QUEUE_BYTES = 65_536;

    @TempDir
    protected static Path shared;

    protected static ServerProcess server;
    protected static ServerProcess open;

    @BeforeAll
    static void start() throws IOException {
        String token = Files.writeString(
                        Files.createDirectory(shared.resolve("secret")).resolve("token"), "secret")
                .toString();
        server = ServerProcess.listening(
                "--ws-auth",
                "capability-token",
                "--ws-token-file",
                token,
                "--allowed-hosts",
                "box.example",
                "--stdin-queue-bytes",
                String.valueOf(QUEUE_BYTES));
        open = ServerProcess.listening();
    }

    @AfterAll
    static void stop() {
        server.close();
        open.close();
    }

    protected static RawHttpClient connect() throws IOException {
        return RawHttpClient.connect(server.port());
    }

    protected static RawHttpClient send(RawHttpClient http, String head, String body) throws IOException {
        return http.head(head + "|Content-Length: " + body.getBytes(UTF_8).length)
                .bytes(body.getBytes(UTF_8));
    }

    protected static Response ask(String head, String body) throws IOException {
        try (RawHttpClient http = connect()) {
            return send(http, head, body).response();
        }
    }

    protected static JsonNode run(String params) throws IOException {
        Response response = ask(HEAD + JSON, params);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return Json.parse(new String(response.body(), UTF_8));
    }

    protected static String error(Response response, int status) {
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        assertThat(response.header("content-type")).contains("application/json");
        return Json.parse(response.text()).get("error").get("message").asText();
    }

    protected static String part(String name, String content) {
        return "--B\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + content + "\r\n";
    }

    protected static String form(String params, String input) {
        return part("params", params) + part("stdin", input) + "--B--\r\n";
    }
}
