package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Alone;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RawHttpClient.Response;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code /files} with a policy: what it forbids is refused, everything else is as without one. */
@Alone
@Timeout(180)
class SandboxedTransfersIT {

    private static final String AUTH = "|Host: 127.0.0.1|Authorization: Bearer secret";
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir(factory = VarTmp.class)
    static Path shared;

    private static ServerProcess server;
    private static ServerProcess bounded;

    /** Not below /tmp, which is part of what helpers may see. */
    @TempDir(factory = VarTmp.class)
    private Path base;

    private Path workspace;
    private WireClient client;
    private String session;

    @BeforeAll
    static void start() throws IOException {
        String token = Files.writeString(shared.resolve("token"), "secret").toString();
        Files.writeString(shared.resolve("hidden"), "hidden");
        Files.writeString(shared.resolve("public"), "public");
        Path open = Files.createDirectory(shared.resolve("open"));
        Path floor = Files.writeString(shared.resolve("floor.json"), """
                {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
                 {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
                 {"path":{"type":"path","path":"%s"},"access":"deny"},
                 {"path":{"type":"path","path":"%s"},"access":"write"}]}}
                """.formatted(shared.resolve("hidden"), open));
        server = ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token);
        bounded = ServerProcess.listening(
                "--ws-auth", "capability-token", "--ws-token-file", token, "--sandbox-floor", floor.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
        bounded.close();
    }

    @BeforeEach
    void prepare() throws IOException {
        workspace = Files.createDirectory(base.resolve("ws"));
        Files.writeString(base.resolve("outside"), "outside");
        Files.writeString(workspace.resolve("a"), "content of a");
        client = WireClient.connect(server.port(), Map.of("Authorization", "Bearer secret"));
        session = client.handshake().get("sessionId").asText();
    }

    @AfterEach
    void disconnect() {
        if (client.open()) {
            client.call("session/end");
        }
        client.close();
    }

    private ObjectNode workspaceWrite() {
        return Policies.workspaceWrite(workspace);
    }

    private String head(String method, Path path, ObjectNode sandbox) {
        return method + " /files?path=" + path + " HTTP/1.1" + AUTH + "|Exec-Server-Session: " + session
                + "|Exec-Server-Sandbox: " + sandbox;
    }

    private Response get(Path path, ObjectNode sandbox, String... more) throws IOException {
        return exchange(server, head("GET", path, sandbox) + String.join("", more), "");
    }

    private Response put(Path path, ObjectNode sandbox, String content, String... more) throws IOException {
        String length = "|Content-Length: " + content.length();
        return exchange(server, head("PUT", path, sandbox) + length + String.join("", more), content);
    }

    private static Response exchange(ServerProcess to, String head, String body) throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(to.port())) {
            return http.head(head).bytes(body.getBytes(UTF_8)).response();
        }
    }

    private static JsonNode error(Response response, int status) {
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        return Json.parse(response.text()).get("error");
    }

    private List<String> names() {
        return Stream.of(workspace.toFile().list()).sorted().toList();
    }

    private static List<Long> helpers(ServerProcess of) {
        return ProcFs.descendants(of.pid()).stream()
                .filter(pid -> ProcFs.commandLine(pid).contains("fs"))
                .toList();
    }

    @Test
    void theWorkspaceCanBeReadAndWrittenAndNothingElseWritten() throws IOException {
        Response read = get(workspace.resolve("a"), workspaceWrite());
        assertThat(read.text()).isEqualTo("content of a");
        assertThat(get(workspace.resolve("a"), workspaceWrite(), "|Range: bytes=8-")
                        .text())
                .isEqualTo("of a");
        Files.setPosixFilePermissions(
                workspace.resolve("a"), java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-x---"));
        String tag =
                get(workspace.resolve("a"), workspaceWrite()).header("etag").orElseThrow();
        Response replaced = put(workspace.resolve("a"), workspaceWrite(), "new", "|If-Match: " + tag);
        assertThat(replaced.status()).as(replaced.text()).isEqualTo(204);
        assertThat(workspace.resolve("a")).hasContent("new");
        assertThat(Files.getPosixFilePermissions(workspace.resolve("a"))).hasSize(5);
        assertThat(get(workspace.resolve("a"), workspaceWrite()).header("etag")).isEqualTo(replaced.header("etag"));
        assertThat(error(put(workspace.resolve("a"), workspaceWrite(), "newer", "|If-Match: " + tag), 412)
                        .at("/data/reason")
                        .asText())
                .isEqualTo("conflict");
        assertThat(put(workspace.resolve("b"), workspaceWrite(), "b", "|If-None-Match: *")
                        .status())
                .isEqualTo(201);
        error(put(workspace.resolve("b"), workspaceWrite(), "c", "|If-None-Match: *"), 412);
        assertThat(workspace.resolve("b")).hasContent("b");

        JsonNode refused = error(put(base.resolve("outside"), workspaceWrite(), "changed"), 403);
        assertThat(refused.get("message").asText()).isEqualTo("Read-only file system (os error 30)");
        assertThat(refused.at("/data/path").asText())
                .isEqualTo(base.resolve("outside").toString());
        Files.createSymbolicLink(workspace.resolve("link"), base.resolve("outside"));
        error(put(workspace.resolve("link"), workspaceWrite(), "changed"), 403);
        error(put(base.resolve("new"), workspaceWrite(), "x"), 403);
        assertThat(base.resolve("outside")).hasContent("outside");
        assertThat(base.resolve("new")).doesNotExist();
        assertThat(get(base.resolve("outside"), workspaceWrite()).text()).isEqualTo("outside");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(names()).containsExactly("a", "b", "link"));
    }

    @Test
    void aReadOnlyPolicyLetsNothingBeWritten() throws IOException {
        ObjectNode readOnly = Policies.of(workspace, entry("root", "read"));
        assertThat(get(workspace.resolve("a"), readOnly).text()).isEqualTo("content of a");
        error(put(workspace.resolve("a"), readOnly, "x"), 403);
        error(put(workspace.resolve("new"), readOnly, "x"), 403);
        assertThat(workspace.resolve("a")).hasContent("content of a");
        assertThat(names()).containsExactly("a");
    }

    @Test
    void whatIsDeniedOrProtectedIsRefusedAndWhatIsHiddenIsNotThere() throws IOException {
        Files.writeString(workspace.resolve("x.env"), "token");
        Path git = Files.createDirectory(workspace.resolve(".git"));
        Files.writeString(git.resolve("config"), "old");
        ObjectNode glob = Policies.of(
                workspace,
                entry("root", "read"),
                entry("project_roots", "write"),
                Policies.denied(workspace + "/**/*.env"));
        assertThat(error(get(workspace.resolve("x.env"), glob), 403)
                        .get("message")
                        .asText())
                .isEqualTo("Permission denied (os error 13)");
        error(put(workspace.resolve("x.env"), glob, "changed"), 403);
        error(put(git.resolve("config"), glob, "changed"), 403);
        assertThat(put(workspace.resolve("b"), glob, "b").status()).isEqualTo(201);
        assertThat(workspace.resolve("x.env")).hasContent("token");
        assertThat(git.resolve("config")).hasContent("old");

        ObjectNode narrow = Policies.narrow(workspace);
        assertThat(get(workspace.resolve("a"), narrow).text()).isEqualTo("content of a");
        assertThat(error(get(base.resolve("outside"), narrow), 404).get("code").asInt())
                .isEqualTo(-32004);
        // What is hidden does not exist in the view; and what the view has instead of it is no place for a file.
        error(put(base.resolve("outside"), narrow, "x"), 403);
        assertThat(base.resolve("outside")).hasContent("outside");
        error(put(workspace.resolve("a"), narrow, "x"), 403);
    }

    @Test
    void whoNamesNoSessionGetsAHelperThatEndsWithTheRequest() throws IOException {
        String sandbox = "|Exec-Server-Sandbox: " + Policies.narrow(workspace);
        String get = "GET /files?path=" + workspace.resolve("a") + " HTTP/1.1" + AUTH + sandbox;
        assertThat(exchange(server, get, "").text()).isEqualTo("content of a");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(helpers(server)).isEmpty());

        String one = "|Exec-Server-Session: " + session;
        assertThat(error(exchange(server, get + one + "x", ""), 404)
                        .at("/data/reason")
                        .asText())
                .isEqualTo("unknownSession");
        error(exchange(server, get + one + one, ""), 400);
        error(exchange(server, get + sandbox, ""), 400);
        error(exchange(server, get.replace("HTTP/1.1", "HTTP/1.1|Exec-Server-Sandbox: \u00e4"), ""), 400);
        String query = "GET /files?path=" + workspace.resolve("a") + "&sandbox=%7B%7D HTTP/1.1" + AUTH;
        assertThat(error(exchange(server, query, ""), 400).get("message").asText())
                .contains("Exec-Server-Sandbox");
        client.call("session/end").result();
        error(exchange(server, get + one, ""), 404);
    }

    @Test
    void theOperatorsFloorBoundsWhoAsksForNoSandbox() throws IOException {
        Path open = shared.resolve("open");
        String put = "PUT /files?path=" + open.resolve("made") + " HTTP/1.1" + AUTH + "|Content-Length: 3";
        assertThat(exchange(bounded, put, "new").status()).isEqualTo(201);
        assertThat(open.resolve("made")).hasContent("new");
        error(exchange(bounded, put.replace("open/made", "beside"), "new"), 403);
        assertThat(shared.resolve("beside")).doesNotExist();
        String get = "GET /files?path=" + shared.resolve("hidden") + " HTTP/1.1" + AUTH;
        error(exchange(bounded, get, ""), 403);
        assertThat(exchange(bounded, get.replace("hidden", "public"), "").text())
                .isEqualTo("public");
        String above = "|Exec-Server-Sandbox: " + Policies.workspaceWrite(workspace);
        assertThat(error(exchange(bounded, get.replace("hidden", "public") + above, ""), 403)
                        .at("/data/reason")
                        .asText())
                .isEqualTo("sandboxFloor");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(helpers(bounded)).isEmpty());
    }

    /** An upload that has begun: its head and half of its content were sent, and a helper waits for the rest. */
    private RawHttpClient begun(Path path, ObjectNode sandbox) throws IOException {
        RawHttpClient http = RawHttpClient.connect(server.port());
        http.head(head("PUT", path, sandbox) + "|Content-Length: 1000000|Expect: 100-continue");
        assertThat(http.line()).contains("100");
        assertThat(http.line()).isEmpty();
        return http.bytes(new byte[600_000]);
    }

    @Test
    void aDirectoryThatIsMovedAwayMeanwhileDoesNotTakeTheFileAlong() throws IOException {
        Path sub = Files.createDirectory(workspace.resolve("sub"));
        try (RawHttpClient http = begun(sub.resolve("file"), workspaceWrite())) {
            Files.move(sub, base.resolve("taken"));
            error(http.bytes(new byte[400_000]).response(), 404);
        }
        assertThat(base.resolve("taken")).isEmptyDirectory();
        Files.createDirectory(sub);
        try (RawHttpClient http = begun(sub.resolve("file"), workspaceWrite())) {
            Files.move(sub, base.resolve("taken too"));
            Files.createDirectory(sub);
            assertThat(error(http.bytes(new byte[400_000]).response(), 409)
                            .at("/data/reason")
                            .asText())
                    .isEqualTo("placeChanged");
        }
        assertThat(base.resolve("taken too")).isEmptyDirectory();
        assertThat(sub).isEmptyDirectory();
        try (RawHttpClient http = begun(workspace.resolve("file"), workspaceWrite())) {
            Files.move(workspace, base.resolve("old workspace"));
            Files.createDirectory(workspace);
            error(http.bytes(new byte[400_000]).response(), 409);
        }
        assertThat(base.resolve("old workspace/file")).doesNotExist();
        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void aHelperThatIsKilledOrAnUploadThatIsCutLeavesEverythingAsItWas() throws IOException {
        Path file = workspace.resolve("a");
        try (RawHttpClient http = begun(file, workspaceWrite())) {
            helpers(server).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            await().atMost(LIMIT).until(() -> helpers(server).isEmpty());
            JsonNode error = error(http.bytes(new byte[400_000]).response(), 500);
            assertThat(error.get("message").asText()).startsWith("fs sandbox helper failed");
        }
        try (RawHttpClient http = begun(file, workspaceWrite())) {
            assertThat(file).hasContent("content of a");
        }
        await().atMost(LIMIT).untilAsserted(() -> assertThat(names()).containsExactly("a"));
        assertThat(file).hasContent("content of a");
        try (RawHttpClient http = begun(file, workspaceWrite())) {
            client.call("session/end").result();
            error(http.bytes(new byte[400_000]).response(), 500);
        }
        assertThat(file).hasContent("content of a");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(names()).containsExactly("a"));
    }

    @Test
    void aGigabyteNeedsLittleMemoryAndASlowReaderHoldsNoHelper() throws IOException {
        Path file = workspace.resolve("large");
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
            content.setLength(1L << 30);
        }
        get(workspace.resolve("a"), workspaceWrite());
        long before = ProcFs.residentKiB(server.pid());
        try (RawHttpClient slow = RawHttpClient.connect(server.port());
                RawHttpClient http = RawHttpClient.connect(server.port())) {
            slow.head(head("GET", file, Policies.narrow(workspace))).responseHead();
            http.head(head("GET", file, workspaceWrite()) + "|Connection: close")
                    .responseHead();
            assertThat(http.drain()).isEqualTo(1L << 30);
        }
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head(head("PUT", workspace.resolve("copy"), workspaceWrite()) + "|Content-Length: " + (1L << 30));
            byte[] piece = new byte[1 << 20];
            for (int i = 0; i < 1024; i++) {
                http.bytes(piece);
            }
            assertThat(http.response().status()).isEqualTo(201);
        }
        assertThat(workspace.resolve("copy")).hasSize(1L << 30);
        assertThat(ProcFs.residentKiB(server.pid()) - before).isLessThan(64 * 1024);
    }
}
