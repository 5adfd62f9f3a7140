package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the operator has set bounds everything that a client can ask for. */
@Timeout(90)
class OperatorFloorIT {

    private static Path base;
    private static Path workspace;
    private static Path floor;
    private static ServerProcess bounded;
    private static ServerProcess required;

    private WireClient client;
    private WireClient strict;

    @BeforeAll
    static void start() throws IOException {
        // not below /tmp, which workspace-write policies make writable
        base = Files.createTempDirectory(Path.of("/var/tmp").toRealPath(), "exec-server-it-");
        workspace = Files.createDirectory(base.resolve("ws"));
        Files.writeString(base.resolve("secret"), "secret");
        Files.writeString(base.resolve("public"), "public");
        floor = Files.writeString(base.resolve("floor.json"), """
                {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
                 {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
                 {"path":{"type":"path","path":"%s"},"access":"deny"},
                 {"path":{"type":"path","path":"%s"},"access":"write"}]}}
                """.formatted(base.resolve("secret"), workspace));
        bounded = ServerProcess.listening("--sandbox-floor", floor.toString());
        required = ServerProcess.listening("--require-sandbox");
    }

    @AfterAll
    static void stop() throws IOException {
        bounded.close();
        required.close();
        try (var files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @BeforeEach
    void connect() {
        client = WireClient.connect(bounded.port());
        client.handshake();
        strict = WireClient.connect(required.port());
        strict.handshake();
    }

    @AfterEach
    void disconnect() {
        client.close();
        strict.close();
    }

    private static ObjectNode sandbox(JsonNode permissions) {
        String uri = workspace.toUri().toString();
        return Json.object(
                "permissions",
                permissions,
                "cwd",
                uri,
                "workspaceRoots",
                List.of(uri),
                "windowsSandboxLevel",
                "disabled");
    }

    private static ObjectNode managed(String network, String... entries) {
        return sandbox(Json.parse("{\"type\":\"managed\",\"network\":\"" + network
                + "\",\"file_system\":{\"type\":\"restricted\",\"entries\":[" + String.join(",", entries) + "]}}"));
    }

    private static String special(String kind, String access) {
        return "{\"path\":{\"type\":\"special\",\"value\":{\"kind\":\"%s\"}},\"access\":\"%s\"}"
                .formatted(kind, access);
    }

    private static String path(String name, String access) {
        return "{\"path\":{\"type\":\"path\",\"path\":\"%s\"},\"access\":\"%s\"}"
                .formatted(base.resolve(name).toUri(), access);
    }

    private static ObjectNode allowed() {
        return managed(
                "restricted", special("root", "read"), special("project_roots", "write"), path("secret", "deny"));
    }

    private static Start command(Object sandbox) {
        return Start.shell("echo ran").with("cwd", workspace.toUri().toString()).with("sandbox", sandbox);
    }

    private static void refused(Answer answer, String... texts) {
        assertThat(answer.failed()).as("must be refused").isTrue();
        assertThat(answer.errorMessage()).contains(texts);
        assertThat(answer.error().at("/data/reason").asText()).isEqualTo("sandboxFloor");
    }

    private Answer ask(WireClient server, String method, Object sandbox, Object... members) {
        ObjectNode params = Json.object(members);
        params.set("sandbox", Json.value(sandbox));
        return server.send(method, params).answer(Duration.ofSeconds(30));
    }

    @Test
    void aCommandThatStaysBelowTheFloorRuns() {
        RemoteProcess process = client.start(command(allowed()));

        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void aCommandThatAsksForMoreIsRefusedWithTheFirstThing() {
        refused(client.sendStart(command(null)).started(), "network", "--sandbox-floor");
        refused(client.sendStart(command(null).without("sandbox")).started(), "--sandbox-floor");
        refused(
                client.sendStart(command(sandbox(Json.parse("{\"type\":\"disabled\"}"))))
                        .started(),
                "--sandbox-floor");
        refused(
                client.sendStart(command(sandbox(Json.parse("{\"type\":\"external\",\"network\":\"restricted\"}"))))
                        .started(),
                "only reading of /, and an external sandbox gives writing to it");
        refused(
                client.sendStart(command(
                                managed("restricted", special("root", "read"), special("project_roots", "write"))))
                        .started(),
                "no access to " + base.resolve("secret"));
        refused(
                client.sendStart(command(managed(
                                "restricted", special("root", "read"), path("secret", "deny"), path("", "write"))))
                        .started(),
                "only reading of " + base + ", and the request gives writing to it");
        refused(
                client.sendStart(command(managed("enabled", special("project_roots", "write"))))
                        .started(),
                "gives no access to the network");
    }

    @Test
    void aFileCallWithoutASandboxRunsUnderTheFloor() throws IOException {
        Answer read =
                ask(client, "fs/readFile", null, "path", base.resolve("public").toString());
        assertThat(new String(Json.bytes(read.result().get("dataBase64")))).isEqualTo("public");
        Answer secret =
                ask(client, "fs/readFile", null, "path", base.resolve("secret").toString());
        assertThat(secret.errorMessage()).isEqualTo("Permission denied (os error 13)");
        Answer opened = ask(
                client,
                "fs/open",
                null,
                "handleId",
                "h",
                "path",
                base.resolve("secret").toString(),
                "mode",
                "read");
        assertThat(opened.errorMessage()).isEqualTo("Permission denied (os error 13)");
        Answer outside =
                ask(client, "fs/writeFile", null, "path", base.resolve("new").toString(), "dataBase64", "");
        assertThat(outside.errorMessage()).isEqualTo("Read-only file system (os error 30)");
        Answer copied = ask(
                client,
                "fs/copy",
                null,
                "sourcePath",
                base.resolve("secret").toString(),
                "destinationPath",
                workspace.resolve("c").toString(),
                "recursive",
                false);
        assertThat(copied.failed()).isTrue();
        Answer inside = ask(
                client, "fs/writeFile", null, "path", workspace.resolve("new").toString(), "dataBase64", "eA==");
        assertThat(inside.failed()).isFalse();
        assertThat(workspace.resolve("new")).hasContent("x");
    }

    @Test
    void aFileCallThatAsksForMoreIsRefused() {
        String file = base.resolve("secret").toString();
        refused(
                ask(client, "fs/readFile", sandbox(Json.parse("{\"type\":\"disabled\"}")), "path", file),
                "no sandbox gives");
        refused(
                ask(client, "fs/readFile", managed("restricted", special("root", "read")), "path", file),
                "no access to " + file);
        refused(
                ask(
                        client,
                        "fs/copy",
                        sandbox(Json.parse("{\"type\":\"external\",\"network\":\"enabled\"}")),
                        "sourcePath",
                        file,
                        "destinationPath",
                        workspace.resolve("c").toString(),
                        "recursive",
                        false),
                "an external sandbox gives");
        refused(
                ask(
                        client,
                        "fs/writeFile",
                        managed("enabled", special("root", "write")),
                        "path",
                        file,
                        "dataBase64",
                        ""),
                "writing to it");
        // the network of a profile is no matter of files
        assertThat(ask(
                                client,
                                "fs/readFile",
                                managed("enabled", special("root", "read"), path("secret", "deny")),
                                "path",
                                base.resolve("public").toString())
                        .failed())
                .isFalse();
    }

    @Test
    void nothingGoesToTheNetworkAroundTheFloor() {
        Answer http = client.call(
                "http/request",
                "requestId",
                "r",
                "method",
                "GET",
                "url",
                "http://127.0.0.1:1/",
                "headers",
                List.of(),
                "streamResponse",
                false);
        refused(http, "http/request", "no access to the network");
        refused(
                client.call(
                        "fs/watch", "watchId", 1, "path", base.resolve("secret").toString()),
                "hides");
        assertThat(client.call("fs/watch", "watchId", 2, "path", workspace.toString())
                        .failed())
                .isFalse();
    }

    @Test
    void aRequiredSandboxIsRequiredOfCommandsAndFiles() {
        refused(strict.sendStart(command(null)).started(), "--require-sandbox", "has no sandbox");
        refused(
                strict.sendStart(command(sandbox(Json.parse("{\"type\":\"disabled\"}"))))
                        .started(),
                "--require-sandbox");
        refused(
                strict.sendStart(command(managed("enabled", special("root", "write"))))
                        .started(),
                "every file writable");
        refused(ask(strict, "fs/readFile", null, "path", "/etc/passwd"), "--require-sandbox");
        refused(
                ask(strict, "fs/readFile", sandbox(Json.parse("{\"type\":\"disabled\"}")), "path", "/etc/passwd"),
                "--require-sandbox");
        assertThat(strict.start(command(allowed())).exited().exitCode()).isZero();
        assertThat(ask(strict, "fs/readFile", allowed(), "path", "/etc/passwd").failed())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | EOF while parsing",
                "{\"type\":\"managed\"} | missing field `file_system`",
                "{\"type\":\"wide\"} | wide",
                "{\"type\":\"managed\",\"network\":\"restricted\",\"file_system\":{\"type\":\"restricted\",\"entries\":[{\"path\":{\"type\":\"path\",\"path\":\"rel\"},\"access\":\"read\"}]}} | rel"
            })
    void aServerWithAFloorThatCannotBeReadDoesNotStart(String content, String why) throws IOException {
        Path bad = Files.writeString(base.resolve("bad.json"), content);
        try (ServerProcess server =
                ServerProcess.launched("--listen", "ws://127.0.0.1:0", "--sandbox-floor", bad.toString())) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr())
                    .contains("--sandbox-floor " + bad + " cannot be read: ")
                    .contains(why);
            assertThat(server.stderr().lines().count()).isEqualTo(1);
        }
    }

    @Test
    void aServerWithoutItsFloorFileDoesNotStart() {
        try (ServerProcess server =
                ServerProcess.launched("--listen", "ws://127.0.0.1:0", "--sandbox-floor", "/no/such/file")) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr())
                    .contains("--sandbox-floor /no/such/file cannot be read: No such file or directory (os error 2)");
        }
    }
}
