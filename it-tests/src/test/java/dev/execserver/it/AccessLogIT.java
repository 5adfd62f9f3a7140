package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AccessLogFile;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The access log of the packaged server: who connected, what ran and how it ended, and no secret. */
@Timeout(120)
class AccessLogIT {
    private static final String TOKEN = "token-that-nobody-may-read";
    private static final Map<String, String> HEADERS = Map.of("Authorization", "Bearer " + TOKEN);
    private static final String SESSION = "session.id";
    private static final String PROCESS = "execserver.process.id";
    private static final String CONNECTION = "execserver.connection.id";
    private static final String EXIT_CODE = "process.exit.code";

    @TempDir
    private Path directory;

    private AccessLogFile log;

    @BeforeEach
    void name() {
        log = new AccessLogFile(directory.resolve("access.log"));
    }

    private ServerProcess server(String... options) throws IOException {
        Path token = directory.resolve("token");
        Files.writeString(token, TOKEN);
        return log.server(
                List.of("--ws-auth", "capability-token", "--ws-token-file", token.toString()), List.of(options));
    }

    @Test
    void aCommandIsFollowedFromTheConnectionToItsExitByItsIds() throws IOException {
        try (ServerProcess server = server()) {
            String session;
            try (WireClient client = WireClient.connect(server.port(), HEADERS)) {
                session = client.handshake().get("sessionId").asText().substring(0, 8);
                RemoteProcess process = client.start(Start.shell("echo hello; exit 3")
                        .id("build-1")
                        .with(
                                "metadata",
                                Json.object(
                                        "threadId", "0d9f4b1e-6a53-4bb8-9f0b-111111111111", "toolCallId", "call-7")));
                process.closed();
            }
            JsonNode opened = log.await("connection.opened");
            JsonNode begun = log.await("session.started");
            JsonNode started = log.await("process.started");
            JsonNode exited = log.await("process.exited");
            JsonNode closed = log.await("connection.closed");

            assertThat(opened.get("client.address").asText()).isEqualTo("127.0.0.1");
            assertThat(opened.get("client.port").isNumber()).isTrue();
            assertThat(begun.get("execserver.client.name").asText()).isEqualTo("it-tests");
            for (JsonNode line : List.of(begun, started, closed)) {
                assertThat(line.get(CONNECTION)).isEqualTo(opened.get(CONNECTION));
                assertThat(line.get(SESSION).asText()).isEqualTo(session);
            }
            assertThat(exited.get(SESSION).asText()).isEqualTo(session);
            assertThat(exited.get(PROCESS)).isEqualTo(started.get(PROCESS));
            assertThat(started.get(PROCESS).asText()).isEqualTo("build-1");
            assertThat(started.get("process.command_args")).hasSize(3);
            assertThat(started.get("process.pid")).isEqualTo(exited.get("process.pid"));
            assertThat(started.get("rpc.method").asText()).isEqualTo("process/start");
            assertThat(started.get("jsonrpc.request.id").isNumber()).isTrue();
            assertThat(started.get("process.working_directory").asText()).startsWith("/");
            assertThat(started.get("execserver.sandbox.backend").asText()).isEqualTo("none");
            assertThat(started.get("execserver.metadata.thread_id").asText())
                    .isEqualTo("0d9f4b1e-6a53-4bb8-9f0b-111111111111");
            assertThat(started.get("execserver.metadata.tool_call_id").asText()).isEqualTo("call-7");
            assertThat(exited.get(EXIT_CODE).intValue()).isEqualTo(3);
            assertThat(exited.get("execserver.output.bytes").intValue()).isEqualTo(6);
            assertThat(exited.get("execserver.duration_ms").isNumber()).isTrue();
        }
    }

    @Test
    void secretsAreNotInTheLog() throws IOException {
        Path other = Files.writeString(directory.resolve("other"), "body-secret");
        try (ServerProcess server = server();
                RawHttpServer http = RawHttpServer.answering((request, out) ->
                        out.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.UTF_8)))) {
            String session;
            try (WireClient client = WireClient.connect(server.port(), HEADERS)) {
                session = client.handshake().get("sessionId").asText();
                RemoteProcess process = client.start(Start.of("cat").stdin().env("API_KEY", "env-secret"));
                process.write("stdin-secret\n");
                process.closeStdin();
                process.closed();
                client.call("fs/writeFile", "path", "file://" + other, "dataBase64", Json.base64("body-secret-2"))
                        .result();
                client.call(
                                "http/request",
                                "method",
                                "POST",
                                "url",
                                "http://127.0.0.1:" + http.port() + "/path-secret?query-secret=1",
                                "headers",
                                List.of(Json.object("name", "X", "value", "header-secret")),
                                "bodyBase64",
                                Json.base64("http-body-secret"),
                                "requestId",
                                "r1")
                        .result();
                client.call(
                                "http/request",
                                "method",
                                "GET",
                                "url",
                                "http://127.0.0.1:1/path-secret?query-secret=1",
                                "headers",
                                List.of(),
                                "requestId",
                                "r2")
                        .error();
                try (WireClient second = WireClient.connect(server.port(), HEADERS)) {
                    second.call("initialize", "clientName", "x", "resumeSessionId", session)
                            .error();
                }
            }
            try (RawHttpClient client = RawHttpClient.connect(server.port())) {
                client.head("GET /files?path=" + other + "&session=" + session + " HTTP/1.1|Host: 127.0.0.1|"
                        + "Authorization: Bearer " + TOKEN);
                assertThat(client.response().status()).isEqualTo(400);
            }
            assertThatThrownBy(() -> WireClient.connect(server.port(), Map.of("Authorization", "Bearer bad-secret")))
                    .isInstanceOf(RuntimeException.class);
            log.await("connection.refused");
            assertThat(server.stop()).isZero();
            assertThat(log.text())
                    .doesNotContain(TOKEN, session, "-secret", "dataBase64")
                    .contains(
                            "\"http.requested\"", "\"file.changed\"", "\"file.transferred\"", session.substring(0, 8));
        }
    }

    @Test
    void whoIsRefusedIsNamedByAddressAndReason() throws IOException {
        try (ServerProcess server = server()) {
            assertThatThrownBy(() -> WireClient.connect(server.port(), Map.of("Authorization", "Bearer wrong")))
                    .isInstanceOf(RuntimeException.class);
            JsonNode refused = log.await("connection.refused");
            assertThat(refused.get("severity_text").asText()).isEqualTo("WARN");
            assertThat(refused.get("client.address").asText()).isEqualTo("127.0.0.1");
            assertThat(refused.get("http.response.status_code").intValue()).isEqualTo(401);
            assertThat(refused.get("execserver.reason").asText()).isEqualTo("invalid websocket bearer token");
        }
    }

    @Test
    void whatDoesNotStartAndWhoEndsWhatIsThere() throws IOException {
        try (ServerProcess server = server();
                WireClient client = WireClient.connect(server.port(), HEADERS)) {
            client.handshake();
            client.sendStart(Start.of("/no/such/program").id("missing"))
                    .started()
                    .error();
            client.sendStart(Start.of("true").id("gone").with("cwd", "file:///no/such/folder"))
                    .started()
                    .error();
            RemoteProcess process =
                    client.start(Start.shell("echo up; sleep 60").id("long"));
            process.awaitText("up");
            client.sendStart(Start.of("true").id("long")).started().error();
            process.signal("SIGTERM").result();
            process.exited();
            JsonNode missing = log.await("process.started", PROCESS, "missing");
            assertThat(missing.get("severity_text").asText()).isEqualTo("WARN");
            assertThat(missing.get("rpc.response.status_code").intValue()).isEqualTo(-32603);
            assertThat(missing.get("error.message").asText()).contains("No such file or directory");
            assertThat(log.await("process.started", PROCESS, "gone").has("process.pid"))
                    .isFalse();
            assertThat(log.await("process.signalled").get("execserver.signal").asText())
                    .isEqualTo("SIGTERM");
            JsonNode exited = log.await("process.exited", PROCESS, "long");
            assertThat(exited.get(EXIT_CODE).intValue()).isEqualTo(143);
            await().untilAsserted(() -> assertThat(log.lines("process.started").stream()
                            .filter(line -> line.path("error.message").asText().contains("already exists")))
                    .hasSize(1));
        }
    }

    @Test
    void changesOfFilesAreThereAndReadsAreNot() throws IOException {
        Path file = directory.resolve("file");
        try (ServerProcess server = server();
                WireClient client = WireClient.connect(server.port(), HEADERS)) {
            client.handshake();
            String uri = "file://" + file;
            client.call("fs/writeFile", "path", uri, "dataBase64", Json.base64("x"))
                    .result();
            client.call("fs/readFile", "path", uri).result();
            client.call("fs/getMetadata", "path", uri).result();
            client.call("fs/copy", "sourcePath", uri, "destinationPath", uri + "2", "recursive", false)
                    .result();
            client.call("fs/remove", "path", uri, "recursive", false, "force", false)
                    .result();
            try (RawHttpClient http = RawHttpClient.connect(server.port())) {
                http.head("GET /files?path=" + file + "2 HTTP/1.1|Host: 127.0.0.1|Authorization: Bearer " + TOKEN);
                assertThat(http.response().status()).isEqualTo(200);
            }
            JsonNode transfer = log.await("file.transferred");
            assertThat(transfer.get("file.path").asText()).isEqualTo(file + "2");
            assertThat(transfer.get("http.response.status_code").intValue()).isEqualTo(200);
            assertThat(transfer.get("execserver.sent.bytes").intValue()).isEqualTo(1);
            log.await("file.changed", "rpc.method", "fs/remove");
            assertThat(log.lines("file.changed"))
                    .extracting(line -> line.get("rpc.method").asText())
                    .containsExactly("fs/writeFile", "fs/copy", "fs/remove");
            assertThat(log.lines("file.changed")
                            .get(1)
                            .get("execserver.file.destination")
                            .asText())
                    .isEqualTo(file + "2");
        }
    }

    @Test
    void aSandboxedCommandShowsItsBackendAndNeitherSeesNorChangesTheLog() throws IOException {
        try (ServerProcess server = server();
                WireClient client = WireClient.connect(server.port(), HEADERS)) {
            client.handshake();
            RemoteProcess process = client.start(Start.shell("cat " + log.path() + "; echo forged >>" + log.path())
                    .id("inside")
                    .with("sandbox", Json.object("permissions", Json.parse("""
                            {"type":"managed","fileSystem":{"type":"restricted","entries":[
                              {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
                              {"path":{"type":"path","path":"%s"},"access":"write"}]},"network":"restricted"}
                            """.formatted(directory)))));
            process.closed();
            assertThat(process.text()).doesNotContain("event_name");
            JsonNode started = log.await("process.started", PROCESS, "inside");
            assertThat(started.get("execserver.sandbox.backend").asText()).isNotEqualTo("none");
            assertThat(started.get("execserver.sandbox.requested").booleanValue())
                    .isTrue();
            assertThat(log.text()).doesNotContain("forged\n");
        }
    }

    @Test
    void theLogGoesOnInANewFileAfterARotation() throws IOException {
        try (ServerProcess server = server();
                WireClient client = WireClient.connect(server.port(), HEADERS)) {
            client.handshake();
            client.start(Start.of("true").id("before")).closed();
            log.await("process.exited", PROCESS, "before");
            Path old = directory.resolve("access.log.1");
            Files.move(log.path(), old);
            client.start(Start.of("true").id("after")).closed();
            log.await("process.exited", PROCESS, "after");
            assertThat(Files.readString(old)).contains("before").doesNotContain("after");
            assertThat(log.text()).doesNotContain("before");
        }
    }

    @Test
    void theEndOfTheServerIsLoggedToItsLastProcess() throws IOException {
        try (ServerProcess server = server("--shutdown-grace", "20s");
                WireClient client = WireClient.connect(server.port(), HEADERS)) {
            client.handshake();
            RemoteProcess process =
                    client.start(Start.shell("trap 'exit 5' TERM; echo up; while :; do sleep 0.05; done"));
            RemoteProcess deaf = client.start(Start.shell("trap '' TERM; echo up; sleep 0.2; kill -9 $$"));
            process.awaitText("up");
            deaf.awaitText("up");
            assertThat(server.stop()).isZero();
            assertThat(log.all())
                    .extracting(line -> line.get("event_name").asText())
                    .startsWith("server.started")
                    .endsWith("server.stopped")
                    .contains("server.stopping", "connection.closed", "session.ended");
            assertThat(log.lines("process.exited"))
                    .extracting(line -> line.get(EXIT_CODE).intValue())
                    .containsExactlyInAnyOrder(5, 137);
            assertThat(log.lines("session.ended")
                            .getFirst()
                            .get("execserver.reason")
                            .asText())
                    .isEqualTo("server stops");
        }
    }

    @Test
    void argumentsAreLeftOutWhenTheOperatorWants() throws IOException {
        try (ServerProcess server = server("--access-log-arguments", "program");
                WireClient client = WireClient.connect(server.port(), HEADERS)) {
            client.handshake();
            client.start(Start.of("echo", "password")).closed();
            JsonNode started = log.await("process.started");
            assertThat(started.get("process.executable.name").asText()).isEqualTo("echo");
            assertThat(started.get("process.args_count").intValue()).isEqualTo(2);
            assertThat(log.text()).doesNotContain("password");
        }
    }

    @Test
    void linesOnStandardErrorHaveATimeOrTheJournalsPriority() {
        try (ServerProcess server = ServerProcess.listening("--access-log", "text");
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            server.awaitStderr("session.started");
            assertThat(server.stderr().lines())
                    .allMatch(line -> line.matches("\\d{4}-\\d\\d-\\d\\dT\\S+Z (INFO|WARN) [a-z._]+ .*"));
        }
        List<String> journal =
                List.of("sh", "-c", "JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/2) exec \"$@\"", "sh");
        try (ServerProcess server =
                        ServerProcess.listening(journal, Map.of(), "--access-log", "text", "--log-level", "info");
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            server.awaitStderr("session.started");
            assertThat(server.stderr().lines())
                    .allMatch(line -> line.matches("<6>INFO [a-z._]+ .*|<[46]>\\[\\S+\\] (INFO|WARN) .*"))
                    .anyMatch(line -> line.startsWith("<6>INFO connection.opened"))
                    .anyMatch(line -> line.contains("-reader] INFO SessionRegistry"));
        }
    }

    @Test
    void decisionsAboutProgramsAndTheNetworkAreThere() throws IOException {
        try (ServerProcess server = server();
                WireClient client = WireClient.connect(server.port(), HEADERS)) {
            client.handshake();
            client.start(Start.bash("true; id; curl -sS http://denied.example/secret-path?secret=1; true")
                            .id("judged")
                            .with("networkProxy", ProxyConfig.nothing().json())
                            .with("execPolicy", ExecScene.forbidden()))
                    .closed();
            JsonNode denied = log.await("exec.decided", PROCESS, "judged");
            assertThat(denied.get("execserver.decision").asText()).isEqualTo("deny");
            assertThat(denied.get("process.executable.path").asText()).endsWith("/id");
            assertThat(denied.get("severity_text").asText()).isEqualTo("WARN");
            JsonNode network = log.await("network.accessed", PROCESS, "judged");
            assertThat(network.get("server.address").asText()).isEqualTo("denied.example");
            assertThat(network.get("execserver.decision").asText()).startsWith("deny");
            assertThat(network.get("severity_text").asText()).isEqualTo("WARN");
            assertThat(network.get(SESSION)).isEqualTo(denied.get(SESSION));
            assertThat(network.toString()).doesNotContain("secret");
            assertThat(log.lines("exec.decided")).hasSize(1);
        }
    }

    @Test
    void aFileThatCannotBeOpenedRefusesTheStart() {
        try (ServerProcess refused = ServerProcess.launched(
                "--access-log", "json", "--access-log-file", directory + "/missing/access.log")) {
            assertThat(refused.exitStatus()).isEqualTo(1);
            assertThat(refused.stderr())
                    .isEqualTo(
                            "Error: --access-log-file " + directory
                                    + "/missing/access.log is in a folder that does not exist; name a file that the server may append to");
        }
        try (ServerProcess refused = ServerProcess.launched("--access-log-file", directory + "/access.log")) {
            assertThat(refused.exitStatus()).isEqualTo(2);
            assertThat(refused.stderr()).contains("needs --access-log text or json");
        }
    }

    @Test
    void aSessionThatNobodyComesBackToIsLoggedAsExpired() throws IOException {
        try (ServerProcess server = server("--session-ttl", "100ms")) {
            try (WireClient client = WireClient.connect(server.port(), HEADERS)) {
                client.handshake();
                client.start(Start.of("sleep", "60").id("left"));
            }
            assertThat(log.await("session.ended").get("execserver.reason").asText())
                    .isEqualTo("expired");
            assertThat(log.await("process.exited", PROCESS, "left")
                            .get(EXIT_CODE)
                            .intValue())
                    .isEqualTo(137);
        }
    }
}
