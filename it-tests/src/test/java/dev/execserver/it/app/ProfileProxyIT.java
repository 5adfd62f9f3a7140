package dev.execserver.it.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A profile with rules for hosts gives each command a proxy of its own, by every way that a profile is named. */
@Timeout(120)
class ProfileProxyIT {
    private static final String PROFILES = """
            [permissions.reaches]
            extends = ":read-only"
            [permissions.reaches.network]
            enabled = true
            [permissions.reaches.network.domains]
            "127.0.0.1" = "allow"

            [permissions.elsewhere]
            extends = "reaches"
            [permissions.elsewhere.network.domains]
            "127.0.0.1" = "deny"
            "no.example" = "allow"
            """;

    @TempDir(factory = VarTmp.class)
    static Path folder;

    private static String profiles;
    private static RawHttpServer http;
    private static ServerProcess server;

    @BeforeAll
    static void start() throws IOException {
        profiles = Files.writeString(folder.resolve("config.toml"), PROFILES).toString();
        String token = Files.writeString(
                        Files.createDirectory(folder.resolve("secret")).resolve("token"), "secret")
                .toString();
        http = RawHttpServer.answering(ProfileProxyIT::answer);
        server = ServerProcess.listening(
                "--profiles", profiles, "--ws-auth", "capability-token", "--ws-token-file", token);
    }

    @AfterAll
    static void stop() {
        server.close();
        http.close();
    }

    private static void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        out.write(RawHttpServer.ok("hello"));
        throw new IOException("closed");
    }

    /** Prints 200 if the page was reached through a proxy, 403 if the proxy refused it. */
    private static String fetch() {
        return "curl -s -o /dev/null -w '%{http_code}' " + http.url("/") + "; echo \" $CODEX_NETWORK_PROXY_ACTIVE\"";
    }

    private static AppClient client() {
        return AppClient.connect(server.port(), Map.of("Authorization", "Bearer secret"))
                .handshake(true);
    }

    @Test
    void twoCommandsAtOnceHaveRulesOfTheirOwn() {
        try (AppClient client = client()) {
            OpenFiles before = OpenFiles.of(server.pid());
            List<String> names = List.of("reaches", "elsewhere");
            List<Integer> commands = names.stream()
                    .map(name -> client.send(
                            "command/exec",
                            "command",
                            List.of("sh", "-c", "echo ready; read go; " + fetch()),
                            "processId",
                            name,
                            "streamStdin",
                            true,
                            "streamStdoutStderr",
                            true,
                            "disableTimeout",
                            true,
                            "permissionProfile",
                            name))
                    .toList();
            names.forEach(name -> client.awaitOutput(name, "ready\n"));
            names.forEach(name -> client.call(
                    "command/exec/write", "processId", name, "deltaBase64", Json.base64("go\n"), "closeStdin", true));
            commands.forEach(client::answer);

            assertThat(client.output("reaches", "stdout")).isEqualTo("ready\n200 1\n");
            assertThat(client.output("elsewhere", "stdout")).isEqualTo("ready\n403 1\n");
            assertThat(client.all())
                    .as("nothing of the other dialect")
                    .noneMatch(message -> message.path("method").asText().startsWith("network"));
            await("nothing of the proxies is left")
                    .until(() -> before.openedSince().stream().noneMatch(target -> target.startsWith("socket:")));
        }
    }

    @Test
    void theProxyOfOneCommandIsNotThatOfTheNext() {
        try (AppClient client = client()) {
            assertThat(run(client, "reaches")).isEqualTo("200 1");
            assertThat(run(client, ":read-only")).isEqualTo("000");
        }
    }

    private static String run(AppClient client, String profile) {
        JsonNode answer =
                client.call("command/exec", "command", List.of("sh", "-c", fetch()), "permissionProfile", profile);
        return answer.has("error")
                ? answer.get("error").get("message").asText()
                : answer.get("result").get("stdout").asText().strip();
    }

    @Test
    void soDoCommandsOverHttp() throws IOException {
        String body = Json.object("command", List.of("sh", "-c", fetch()), "permissionProfile", "reaches")
                .toString();
        try (RawHttpClient request = RawHttpClient.connect(server.port())) {
            RawHttpClient.Response response = request.head(
                            "POST /v1/exec HTTP/1.1|Host: 127.0.0.1|Authorization: Bearer secret"
                                    + "|Content-Type: application/json|Content-Length: " + body.length())
                    .bytes(body.getBytes(UTF_8))
                    .response();

            assertThat(Json.parse(response.text()).get("stdout").asText()).isEqualTo("200 1\n");
        }
    }

    @Test
    void soDoProcessesWithANameAndRun() throws IOException {
        try (ServerProcess open = ServerProcess.listening("--profiles", profiles);
                WireClient wire = WireClient.connect(open.port())) {
            wire.handshake();
            Object sandbox =
                    Json.object("profile", "reaches", "cwd", "file:///tmp", "workspaceRoots", List.of("file:///tmp"));

            wire.start(Start.shell(fetch()).with("sandbox", sandbox)).awaitText("200 1");
            assertThat(wire.sendStart(
                                    Start.shell("true").with("sandbox", sandbox).with("networkProxy", Json.object()))
                            .started()
                            .errorMessage())
                    .contains("leave `networkProxy` and `managedNetwork` out");
            assertThat(Program.run(
                                    folder,
                                    "",
                                    "run",
                                    "--url",
                                    open.url().toString(),
                                    "--profile",
                                    "reaches",
                                    "--",
                                    "sh",
                                    "-c",
                                    fetch())
                            .out())
                    .isEqualTo("200 1\n");
        }
    }

    @Test
    void soDoesTheSandboxOfTheCommandLine() throws IOException {
        for (String name : List.of("reaches", "elsewhere")) {
            assertThat(Program.run(
                                    folder,
                                    "",
                                    "sandbox",
                                    "--profiles",
                                    profiles,
                                    "--profile",
                                    name,
                                    "--",
                                    "sh",
                                    "-c",
                                    fetch())
                            .out())
                    .isEqualTo(name.equals("reaches") ? "200 1\n" : "403 1\n");
        }
    }

    @Test
    void soDoesTheMcpServer() {
        try (McpStdio mcp = McpStdio.start(Map.of(), "--profiles", profiles, "--profile", "reaches")
                .initialized()) {
            assertThat(mcp.shell(fetch(), "/").get("stdout").textValue()).isEqualTo("200 1\n");
        }
    }

    @Test
    void aFloorBoundsItAndCannotHaveRulesItself() throws IOException {
        try (ServerProcess bounded = ServerProcess.listening("--profiles", profiles, "--sandbox-floor", ":read-only");
                AppClient client = AppClient.connect(bounded.port()).handshake(true)) {
            assertThat(run(client, "reaches")).contains("--sandbox-floor");
        }
        assertThat(Program.run(folder, "", "--check-config", "--profiles", profiles, "--sandbox-floor", "reaches")
                        .err())
                .contains("has rules for hosts, which a floor cannot have");
        String given = "{\"type\":\"disabled\",\"networkProxy\":{}}";
        assertThat(Program.run(folder, "", "--check-config", "--sandbox-floor", given)
                        .err())
                .contains("`networkProxy` works only in the profiles of --profiles");
    }

    @Test
    void aBrokenTomlFileStopsTheStartWithItsPlace() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.toml"), "[permissions.x.filesystem]\n\":root\" = 1\n");

        Program check = Program.run(folder, "", "--check-config", "--profiles", broken.toString());
        assertThat(check.status()).isEqualTo(1);
        assertThat(check.err()).contains(broken + " cannot be read: line 2, column 1: ");
    }
}
