package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.SandboxdServer;
import dev.execserver.it.support.VarTmp;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files, health and metadata of the runtime interface of sandboxes. */
@Timeout(200)
class SandboxdFilesIT {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir(factory = VarTmp.class)
    private Path work;

    private SandboxdServer server;

    @BeforeEach
    void start() {
        server = SandboxdServer.start(work, Map.of("SANDBOX_ID", "s-1", "SANDBOX_API_KEY", "secret", "OTHER", "x"));
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private HttpResponse<byte[]> ask(String method, String path, byte[] body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .build();
        return http.send(request, BodyHandlers.ofByteArray());
    }

    private HttpResponse<byte[]> ask(String method, String path) throws Exception {
        return ask(method, path, new byte[0]);
    }

    /** The answer has no body, unless it says what went wrong. */
    private static void done(HttpResponse<byte[]> answer) {
        assertThat(answer.statusCode())
                .as("%s", new String(answer.body(), UTF_8))
                .isEqualTo(204);
    }

    private static JsonNode json(HttpResponse<byte[]> answer) {
        return Json.parse(new String(answer.body(), UTF_8));
    }

    private static String code(HttpResponse<byte[]> answer) {
        return answer.statusCode() + " " + json(answer).get("code").textValue();
    }

    @Test
    void healthAndMetadataAreTold() throws Exception {
        assertThat(json(ask("GET", "/v1/health")).get("status").textValue()).isEqualTo("ok");
        assertThat(json(ask("GET", "/v1/metadata")).get("env")).isEqualTo(Json.parse("{\"SANDBOX_ID\":\"s-1\"}"));
        assertThat(ask("POST", "/v1/health", new byte[1]).statusCode()).isEqualTo(405);
    }

    @Test
    void aFileIsWrittenWithItsDirectoriesReadListedAndRemoved() throws Exception {
        byte[] content = "all bytes \0\u00ff".getBytes(UTF_8);

        done(ask("PUT", "/v1/files/a/b%2Fc.txt?mode=0750", content));
        done(ask("PUT", "/v1/files/a/d.txt", content));
        done(ask("PUT", "/v1/files/a/d.txt", "new".getBytes(UTF_8)));

        Path file = work.resolve("a/b/c.txt");
        assertThat(file).hasBinaryContent(content);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr-x---");
        HttpResponse<byte[]> read = ask("GET", "/v1/files/a/b/c.txt");
        assertThat(read.body()).isEqualTo(content);
        assertThat(read.headers().firstValue("Content-Type")).contains("application/octet-stream");

        JsonNode listed = json(ask("GET", "/v1/files/a"));
        assertThat(listed.get("path").textValue()).isEqualTo("/a");
        assertThat(listed.get("entries")).hasSize(2);
        assertThat(listed.get("entries").get(0).get("name").textValue()).isEqualTo("b");
        assertThat(listed.get("entries").get(0).get("type").textValue()).isEqualTo("directory");
        assertThat(listed.get("entries").get(1).get("size").intValue()).isEqualTo(3);
        assertThat(listed.get("entries").get(1).get("mode").textValue()).isEqualTo("0644");
        assertThat(listed.get("entries").get(1).get("modified_at").textValue()).endsWith("Z");

        assertThat(code(ask("DELETE", "/v1/files/a"))).isEqualTo("409 CONFLICT");
        done(ask("DELETE", "/v1/files/a/d.txt"));
        done(ask("DELETE", "/v1/files/a?recursive=true"));
        assertThat(code(ask("GET", "/v1/files/a"))).isEqualTo("404 NOT_FOUND");
        assertThat(code(ask("DELETE", "/v1/files/a"))).isEqualTo("404 NOT_FOUND");
    }

    @Test
    void whatLeadsOutIsRefused() throws Exception {
        Files.createSymbolicLink(work.resolve("link"), Path.of("/var/tmp"));

        assertThat(code(ask("GET", "/v1/files/%2e%2e/x"))).isEqualTo("403 PERMISSION_DENIED");
        assertThat(code(ask("GET", "/v1/files/a%2F..%2F..%2Fx"))).isEqualTo("403 PERMISSION_DENIED");
        assertThat(code(ask("PUT", "/v1/files/link/made-by-nobody", "x".getBytes(UTF_8))))
                .isEqualTo("403 PERMISSION_DENIED");
        assertThat(code(ask("DELETE", "/v1/files/?recursive=true"))).isEqualTo("409 CONFLICT");
    }

    @Test
    void badRequestsSayWhatIsWrong() throws Exception {
        Files.createDirectory(work.resolve("directory"));

        assertThat(code(ask("PUT", "/v1/files/x?mode=9999", "x".getBytes(UTF_8))))
                .isEqualTo("400 INVALID_ARGUMENT");
        assertThat(code(ask("PUT", "/v1/files/directory", "x".getBytes(UTF_8)))).isEqualTo("400 INVALID_ARGUMENT");
        assertThat(code(ask("DELETE", "/v1/files/directory?recursive=yes"))).isEqualTo("400 INVALID_ARGUMENT");
        assertThat(ask("POST", "/v1/files/x", "x".getBytes(UTF_8)).statusCode()).isEqualTo(405);
        assertThat(work.resolve("x")).doesNotExist();
    }
}
