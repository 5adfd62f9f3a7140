package dev.execserver.it.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A floor that is the name of a profile, or the profile itself. */
@Timeout(120)
class NamedFloorIT {
    private static final String READS = """
            {"type": "managed", "network": {"enabled": false}, "fileSystem": {"type": "restricted", "entries": [
              {"access": "read", "path": {"type": "special", "value": {"kind": "root"}}}%s]}}""";
    private static final String WRITES_ROOT =
            READS.formatted(", {\"access\": \"write\", \"path\": {\"type\": \"path\", \"path\": \"/var/tmp\"}}");

    @TempDir(factory = VarTmp.class)
    Path folder;

    private Path file;

    @BeforeEach
    void writeFile() throws IOException {
        file = folder.resolve("profiles.json");
        write(READS.formatted(""));
    }

    private void write(String profile) throws IOException {
        Files.writeString(file, "{\"profiles\": {\"least\": " + profile + "}}");
    }

    private static String touch(AppClient client, String profile) {
        JsonNode answer = client.call(
                "command/exec",
                "command",
                List.of("sh", "-c", "touch /var/tmp/of-a-floor 2>/dev/null && echo written || echo refused"),
                "permissionProfile",
                profile);
        return answer.has("error")
                ? answer.get("error").get("message").asText()
                : answer.get("result").get("stdout").asText().strip();
    }

    @Test
    void aNameIsTheFloor() {
        try (ServerProcess server = ServerProcess.listening("--profiles", file.toString(), "--sandbox-floor", "least");
                AppClient client = AppClient.connect(server.port()).handshake(true);
                WireClient wire = WireClient.connect(server.port())) {
            wire.handshake();

            assertThat(wire.call("sandbox/status").result().at("/floor/file").textValue())
                    .isEqualTo(file.toString());
            assertThat(touch(client, ":workspace")).contains("--sandbox-floor");
            assertThat(touch(client, "least")).isEqualTo("refused");
        }
    }

    @Test
    void aBuiltInProfileAndTextAreFloorsToo() {
        for (String floor : List.of(":read-only", READS.formatted(""))) {
            try (ServerProcess server = ServerProcess.listening("--sandbox-floor", floor);
                    AppClient client = AppClient.connect(server.port()).handshake(true);
                    WireClient wire = WireClient.connect(server.port())) {
                wire.handshake();

                assertThat(wire.call("sandbox/status")
                                .result()
                                .at("/floor/file")
                                .isNull())
                        .isTrue();
                assertThat(touch(client, ":danger-full-access")).contains("--sandbox-floor");
                assertThat(touch(client, ":read-only")).isEqualTo("refused");
            }
        }
    }

    @Test
    void theFloorStaysAsItWasAtTheStart() throws IOException {
        try (ServerProcess server = ServerProcess.listening("--profiles", file.toString(), "--sandbox-floor", "least");
                AppClient client = AppClient.connect(server.port()).handshake(true)) {
            write(WRITES_ROOT);

            assertThat(touch(client, "least")).contains("--sandbox-floor");
            server.awaitStderr("--sandbox-floor stays as it was at the start");
            Files.delete(file);
            assertThat(touch(client, ":workspace")).contains("--sandbox-floor");
        }
    }

    @Test
    void anUnknownNameStopsTheStart() throws IOException {
        // A file of the working directory must not stand in for a name.
        for (String name : List.of("nobody", "profiles.json")) {
            Program server = Program.run(folder, "", "--check-config", "--sandbox-floor", name);

            assertThat(server.status()).isEqualTo(1);
            assertThat(server.err())
                    .contains("--sandbox-floor: there is no profile `" + name + "`")
                    .contains("as in ./" + name);
        }
        Path settings = Files.writeString(folder.resolve("server.properties"), "sandbox-floor=nobody\n");
        Program doctor = Program.run(folder, "", "doctor", "--config", settings.toString());
        assertThat(doctor.status()).isEqualTo(1);
        assertThat(doctor.out()).contains("there is no profile `nobody`");
    }

    @Test
    void theMcpServerHasANamedFloorToo() {
        try (McpStdio mcp = McpStdio.start(Map.of(), "--profiles", file.toString(), "--sandbox-floor", "least")
                .initialized()) {
            assertThat(touch(mcp)).isEqualTo("refused");
            mcp.request(
                    "codex/sandbox-state/update",
                    Json.object(
                            "sandboxPolicy", Json.object("type", "danger-full-access"), "sandboxCwd", "file:///tmp"));
            assertThat(mcp.request(
                                    "tools/call",
                                    Json.object("name", "shell", "arguments", McpStdio.shellArguments("true", "/")))
                            .at("/error/message")
                            .textValue())
                    .contains("--sandbox-floor");
        }
    }

    @Test
    void aNamedProfileOfTheMcpServerFollowsItsFile() throws IOException {
        try (McpStdio mcp = McpStdio.start(Map.of(), "--profiles", file.toString(), "--profile", "least")
                .initialized()) {
            assertThat(touch(mcp)).isEqualTo("refused");
            write(WRITES_ROOT);
            assertThat(touch(mcp)).isEqualTo("written");
            Files.writeString(file, "{\"profiles\": {}}");
            assertThat(mcp.request(
                                    "tools/call",
                                    Json.object("name", "shell", "arguments", McpStdio.shellArguments("true", "/")))
                            .at("/error/message")
                            .textValue())
                    .contains("invalid permission profile");
        }
    }

    private static String touch(McpStdio mcp) {
        return mcp.shell("touch /var/tmp/of-a-floor 2>/dev/null && echo written || echo refused", "/")
                .get("stdout")
                .textValue()
                .strip();
    }
}
