package dev.execserver.it.clients;

import static dev.execserver.it.support.NamedClient.entry;
import static dev.execserver.it.support.NamedClient.sha256;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.AccessLogFile;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that the operator has named: each has its rights at every door, and its name in the access log. */
@Timeout(180)
class NamedClientsIT {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    @TempDir(factory = VarTmp.class)
    private Path base;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Path file;
    private Path workspace;
    private AccessLogFile log;

    @BeforeEach
    void make() throws IOException {
        workspace = Files.createDirectory(base.resolve("ws"));
        Files.writeString(base.resolve("secret"), "hidden-text");
        Files.writeString(base.resolve("public"), "public-text");
        file = base.resolve("clients.json");
        log = new AccessLogFile(base.resolve("access.log"));
    }

    @AfterEach
    void close() {
        http.close();
    }

    /** A floor that hides the secret, lets only the workspace be written and has no network. */
    private String floor() {
        return """
                {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
                 {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
                 {"path":{"type":"path","path":"%s"},"access":"deny"},
                 {"path":{"type":"path","path":"%s"},"access":"write"}]}}
                """.formatted(base.resolve("secret"), workspace);
    }

    private void write(String... clients) throws IOException {
        Path next = Files.writeString(base.resolve("next"), "{\"clients\":[" + String.join(",", clients) + "]}");
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private ServerProcess server(String... more) {
        return log.server(
                List.of("--ws-auth", "named-clients", "--clients-file", file.toString(), "--mcp", "on"), List.of(more));
    }

    private static Map<String, String> as(String name) {
        return Map.of("Authorization", "Bearer " + name + "-token");
    }

    private static WireClient connect(ServerProcess server, String name) {
        WireClient client = WireClient.connect(server.port(), as(name));
        client.handshake();
        return client;
    }

    private static boolean admitted(ServerProcess server, String token) {
        try (WireClient client = WireClient.connect(server.port(), Map.of("Authorization", "Bearer " + token))) {
            client.handshake();
            return true;
        } catch (RuntimeException refused) {
            return false;
        }
    }

    private static Answer ask(WireClient client, String method, Object... members) {
        return client.send(method, Json.object(members)).answer(LIMIT);
    }

    private static String output(RemoteProcess process) {
        process.closed();
        return process.text();
    }

    private static void refusedByFloor(Answer answer) {
        assertThat(answer.failed()).as(answer.message().toString()).isTrue();
        assertThat(answer.error().at("/data/reason").asText())
                .as(answer.message().toString())
                .isEqualTo("sandboxFloor");
    }

    private HttpResponse<String> send(ServerProcess server, String name, String path, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return http.send(
                request.uri(URI.create("http://127.0.0.1:" + server.port() + path))
                        .header("Authorization", "Bearer " + name + "-token")
                        .timeout(LIMIT)
                        .build(),
                BodyHandlers.ofString());
    }

    private String uri(String name) {
        return base.resolve(name).toUri().toString();
    }

    private ObjectNode sandbox(String profile) {
        String uri = workspace.toUri().toString();
        return Json.object(
                "permissions",
                Json.parse(profile),
                "cwd",
                uri,
                "workspaceRoots",
                List.of(uri),
                "windowsSandboxLevel",
                "disabled");
    }

    private Start command(String script) {
        return Start.shell(script).with("cwd", workspace.toUri().toString());
    }

    @Test
    void theFloorOfAClientBoundsItsProcesses() throws IOException {
        write(entry("alice", ",\"sandboxFloor\":" + floor()), entry("bob", ""));
        try (ServerProcess server = server();
                WireClient alice = connect(server, "alice");
                WireClient bob = connect(server, "bob")) {
            refusedByFloor(ask(alice, "process/start", command("echo ran").params()));
            refusedByFloor(ask(
                    alice,
                    "process/start",
                    command("echo ran")
                            .with("sandbox", sandbox("{\"type\":\"disabled\"}"))
                            .params()));
            RemoteProcess process = alice.start(command("cat ../public ../secret; echo x >file; echo y >../file")
                    .with("sandbox", sandbox(floor())));
            assertThat(output(process)).contains("public-text").doesNotContain("hidden-text");
            assertThat(workspace.resolve("file")).exists();
            assertThat(base.resolve("file")).doesNotExist();

            assertThat(output(bob.start(command("cat ../secret")))).contains("hidden-text");
            refusedByFloor(ask(alice, "http/request", "requestId", "1", "method", "GET", "url", "http://127.0.0.1:1/"));
        }
    }

    @Test
    void aFloorOfAClientThatLimitsNothingDoesNotReplaceThatOfTheServer() throws IOException {
        write(entry("alice", ",\"sandboxFloor\":{\"type\":\"disabled\"}"));
        try (ServerProcess server = server("--sandbox-floor", floor());
                WireClient alice = connect(server, "alice")) {
            assertThat(ask(alice, "fs/readFile", "path", uri("secret")).failed())
                    .isTrue();
        }
    }

    private static Answer ask(WireClient client, String method, JsonNode params) {
        return client.send(method, params).answer(LIMIT);
    }

    @Test
    void theFloorOfAClientBoundsItsFileCalls() throws IOException {
        write(entry("alice", ",\"sandboxFloor\":" + floor()), entry("bob", ""));
        try (ServerProcess server = server();
                WireClient alice = connect(server, "alice");
                WireClient bob = connect(server, "bob")) {
            assertThat(ask(alice, "fs/readFile", "path", uri("public")).failed())
                    .isFalse();
            assertThat(ask(alice, "fs/readFile", "path", uri("secret")).failed())
                    .isTrue();
            assertThat(ask(bob, "fs/readFile", "path", uri("secret")).failed()).isFalse();
            assertThat(ask(alice, "fs/writeFile", "path", uri("new"), "dataBase64", "eA==")
                            .failed())
                    .isTrue();
            assertThat(ask(alice, "fs/writeFile", "path", uri("ws/new"), "dataBase64", "eA==")
                            .failed())
                    .isFalse();
            refusedByFloor(ask(alice, "fs/watch", "path", uri("secret"), "watchId", 1));
            assertThat(ask(alice, "fs/watch", "path", uri("public"), "watchId", 1)
                            .failed())
                    .isFalse();
            refusedByFloor(
                    ask(alice, "fs/readFile", "path", uri("secret"), "sandbox", sandbox("{\"type\":\"disabled\"}")));
        }
    }

    @Test
    void theFloorOfAClientBoundsItsRequestsOverHttp() throws Exception {
        write(entry("alice", ",\"sandboxFloor\":" + floor()), entry("bob", ""));
        try (ServerProcess server = server()) {
            String secret = "/files?path=" + base.resolve("secret");
            assertThat(send(server, "bob", secret, HttpRequest.newBuilder()).statusCode())
                    .isEqualTo(200);
            assertThat(send(server, "alice", secret, HttpRequest.newBuilder()).statusCode())
                    .isNotEqualTo(200);
            assertThat(send(server, "alice", "/files?path=" + base.resolve("public"), HttpRequest.newBuilder())
                            .body())
                    .isEqualTo("public-text");
            String command = "{\"command\":[\"cat\",\"%s\"],\"sandboxPolicy\":{\"type\":\"dangerFullAccess\"}}"
                    .formatted(base.resolve("secret"));
            HttpRequest.Builder exec = HttpRequest.newBuilder().POST(BodyPublishers.ofString(command));
            HttpResponse<String> refused =
                    send(server, "alice", "/v1/exec", exec.header("Content-Type", "application/json"));
            assertThat(refused.statusCode()).isNotEqualTo(200);
            assertThat(refused.body()).contains("floor").doesNotContain("hidden-text");
        }
    }

    @Test
    void theFloorOfAClientBoundsSingleCommandsAndTheMcpShell() throws Exception {
        write(entry("alice", ",\"sandboxFloor\":" + floor()));
        try (ServerProcess server = server();
                AppClient app = AppClient.connect(server.port(), as("alice"))) {
            app.handshake(true);
            JsonNode answer = app.call(
                    "command/exec",
                    "command",
                    List.of("cat", base.resolve("secret").toString()),
                    "sandboxPolicy",
                    Json.object("type", "dangerFullAccess"));
            assertThat(answer.toString()).contains("floor").doesNotContain("hidden-text");

            HttpResponse<String> begun = mcp(server, HttpRequest.newBuilder(), """
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
                     "capabilities":{},"clientInfo":{"name":"it","version":"0"}}}""");
            String session = begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
            HttpResponse<String> called = mcp(
                    server,
                    HttpRequest.newBuilder().header("Mcp-Session-Id", session),
                    Json.object(
                                    "jsonrpc",
                                    "2.0",
                                    "id",
                                    2,
                                    "method",
                                    "tools/call",
                                    "params",
                                    Json.object(
                                            "name",
                                            "shell",
                                            "arguments",
                                            McpStdio.shellArguments(
                                                    "cat ../public; cat ../secret", workspace.toString())))
                            .toString());
            assertThat(called.body()).contains("public-text").doesNotContain("hidden-text");
            assertThat(log.lines("process.started"))
                    .hasSize(2)
                    .allMatch(line -> line.get("user.id").asText().equals("alice"));
        }
    }

    private HttpResponse<String> mcp(ServerProcess server, HttpRequest.Builder request, String message)
            throws IOException, InterruptedException {
        return send(
                server,
                "alice",
                "/mcp",
                request.header("Accept", "application/json, text/event-stream")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(message)));
    }

    @Test
    void aClientUsesOnlyTheMethodsThatItMayAtEveryDoor() throws Exception {
        write(entry("bob", ",\"methods\":[\"process/*\",\"fs/readFile\"]"));
        try (ServerProcess server = server();
                WireClient bob = connect(server, "bob");
                AppClient app = AppClient.connect(server.port(), as("bob"))) {
            assertThat(output(bob.start(command("echo ran")))).contains("ran");
            assertThat(ask(bob, "fs/readFile", "path", uri("public")).failed()).isFalse();
            Answer write = ask(bob, "fs/writeFile", "path", uri("public"), "dataBase64", "eA==");
            assertThat(write.error().at("/data/reason").asText()).isEqualTo("methodNotAllowed");
            app.handshake(true);
            assertThat(app.call("command/exec", "command", List.of("true")).toString())
                    .contains("may not use command/exec");
            HttpRequest.Builder exec = HttpRequest.newBuilder()
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"command\":[\"true\"]}"));
            assertThat(send(server, "bob", "/v1/exec", exec).body()).contains("may not use command/exec");
            String path = "/files?path=" + base.resolve("public");
            assertThat(send(server, "bob", path, HttpRequest.newBuilder()).body())
                    .contains("may not use files/read");
            HttpRequest.Builder put = HttpRequest.newBuilder().PUT(BodyPublishers.ofString("x"));
            assertThat(send(server, "bob", path, put).body()).contains("may not use files/write");
            assertThat(base.resolve("public")).hasContent("public-text");
            HttpRequest.Builder mcp = HttpRequest.newBuilder().POST(BodyPublishers.ofString("{}"));
            assertThat(send(server, "bob", "/mcp", mcp).statusCode()).isEqualTo(403);
        }
    }

    @Test
    void aClientStandsInTheAccessLogAndItsSessionsAreItsOwn() throws IOException {
        write(entry("alice", ",\"maxSessions\":1,\"maxProcesses\":2"), entry("bob", ""));
        try (ServerProcess server = server();
                WireClient alice = WireClient.connect(server.port(), as("alice"))) {
            String session = alice.handshake().get("sessionId").asText();
            RemoteProcess first = alice.start(command("sleep 100").id("1"));
            alice.start(command("sleep 100").id("2"));
            assertThat(ask(alice, "process/start", command("true").id("3").params())
                            .error()
                            .at("/data/reason")
                            .asText())
                    .isEqualTo("tooManyProcesses");
            assertThat(log.await("process.started").get("user.id").asText()).isEqualTo("alice");
            try (WireClient second = WireClient.connect(server.port(), as("alice"));
                    WireClient bob = WireClient.connect(server.port(), as("bob"))) {
                assertThat(ask(second, "initialize", "clientName", "x")
                                .error()
                                .at("/data/reason")
                                .asText())
                        .isEqualTo("tooManySessions");
                assertThat(ask(bob, "initialize", "clientName", "x", "resumeSessionId", session)
                                .failed())
                        .isTrue();
            }
            assertThat(first).isNotNull();
        }
    }

    @Test
    void aTokenTakesThePlaceOfAnotherWhileBothAreAccepted() throws IOException {
        write(entry("alice", ""));
        try (ServerProcess server = server();
                WireClient before = connect(server, "alice")) {
            RemoteProcess process = before.start(command("cat").stdin());
            String both = "{\"name\":\"alice\",\"tokens\":[{\"sha256\":\"%s\",\"until\":\"%s\"},{\"sha256\":\"%s\"}]}";
            write(both.formatted(sha256("alice-token"), "2100-01-01T00:00:00Z", sha256("next-token")));
            await().atMost(LIMIT).until(() -> admitted(server, "next-token"));
            assertThat(admitted(server, "alice-token")).isTrue();
            write(both.formatted(sha256("alice-token"), "2020-01-01T00:00:00Z", sha256("next-token")));
            await().atMost(LIMIT).until(() -> !admitted(server, "alice-token"));
            assertThat(admitted(server, "next-token")).isTrue();
            process.write("still here\n");
            process.awaitText("still here");

            Files.writeString(file, "{\"clients\":[{\"name\":\"alice\",\"metods\":[]}]}");
            server.awaitStderr("unknown member `metods`");
            assertThat(admitted(server, "next-token")).isTrue();
            assertThat(log.text() + server.stderr()).doesNotContain(sha256("next-token"));
        }
    }

    @Test
    void theStricterOfTheTwoFloorsWins() throws IOException {
        write(entry(
                "alice",
                ",\"sandboxFloor\":{\"type\":\"managed\",\"network\":\"enabled\",\"file_system\":"
                        + "{\"type\":\"unrestricted\"}}"));
        Path servers = Files.writeString(base.resolve("floor.json"), floor());
        try (ServerProcess server = server("--sandbox-floor", servers.toString());
                WireClient alice = connect(server, "alice")) {
            assertThat(ask(alice, "fs/readFile", "path", uri("secret")).failed())
                    .isTrue();
            refusedByFloor(ask(alice, "process/start", command("echo ran").params()));
            refusedByFloor(ask(
                    alice,
                    "process/start",
                    command("echo ran")
                            .with(
                                    "sandbox",
                                    sandbox("{\"type\":\"managed\",\"network\":\"restricted\",\"file_system\":"
                                            + "{\"type\":\"unrestricted\"}}"))
                            .params()));
            RemoteProcess process = alice.start(command("cat ../public").with("sandbox", sandbox(floor())));
            assertThat(output(process)).contains("public-text");
        }
    }
}
