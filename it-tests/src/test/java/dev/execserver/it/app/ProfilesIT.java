package dev.execserver.it.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Profiles of {@code --profiles}: named by commands, processes and file calls, and read again when they change. */
@Timeout(120)
class ProfilesIT {
    private static final String WRITES_HERE = """
            {"profiles": {"writer": {"description": "writes its folder", "type": "managed", "network": {"enabled": false},
              "fileSystem": {"type": "restricted", "entries": [
                {"access": "read", "path": {"type": "special", "value": {"kind": "root"}}},
                {"access": "write", "path": {"type": "special", "value": {"kind": "project_roots"}}}]}}}}
            """;

    @TempDir(factory = VarTmp.class)
    Path folder;

    private Path file;

    @BeforeEach
    void writeFile() throws IOException {
        file = folder.resolve("profiles.json");
        Files.writeString(file, WRITES_HERE);
    }

    private ServerProcess serve(String... more) {
        List<String> options = new java.util.ArrayList<>(List.of("--profiles", file.toString()));
        options.addAll(List.of(more));
        return ServerProcess.listening(options.toArray(String[]::new));
    }

    private String run(AppClient client, Object... members) {
        Object[] params = new Object[members.length + 4];
        params[0] = "command";
        params[1] = List.of("sh", "-c", "touch made 2>/dev/null && echo written || echo refused");
        params[2] = "cwd";
        params[3] = folder.toString();
        System.arraycopy(members, 0, params, 4, members.length);
        JsonNode answer = client.call("command/exec", params);
        return answer.has("error")
                ? answer.get("error").get("message").asText()
                : answer.get("result").get("stdout").asText().strip();
    }

    @Test
    void aCommandNamesAProfile() {
        try (ServerProcess server = serve();
                AppClient client = AppClient.connect(server.port()).handshake(true)) {
            JsonNode list = client.call("permissionProfile/list").get("result").get("data");

            assertThat(list)
                    .map(row -> row.get("id").asText())
                    .containsExactly(":read-only", ":workspace", ":danger-full-access", "writer");
            assertThat(list.get(3).get("description").asText()).isEqualTo("writes its folder");
            assertThat(run(client)).isEqualTo("refused");
            assertThat(run(client, "permissionProfile", "writer")).isEqualTo("written");
            assertThat(run(client, "permissionProfile", "nobody"))
                    .isEqualTo("invalid permission profile: default_permissions refers to undefined profile `nobody`");
        }
    }

    @Test
    void commandsThatNameNoneGetTheDefaultOfTheOperator() {
        try (ServerProcess server = serve("--default-profile", "writer");
                AppClient client = AppClient.connect(server.port()).handshake(false)) {
            assertThat(run(client)).isEqualTo("written");
        }
    }

    @Test
    void processesAndFileCallsNameAProfileToo() {
        try (ServerProcess server = serve();
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            Object sandbox = Json.object(
                    "profile",
                    "writer",
                    "cwd",
                    folder.toUri().toString(),
                    "workspaceRoots",
                    List.of(folder.toUri().toString()));

            assertThat(client.call(
                                    "fs/writeFile",
                                    "path",
                                    folder.resolve("in").toUri().toString(),
                                    "dataBase64",
                                    "",
                                    "sandbox",
                                    sandbox)
                            .failed())
                    .isFalse();
            assertThat(client.call("fs/writeFile", "path", "file:///var/tmp/out", "dataBase64", "", "sandbox", sandbox)
                            .failed())
                    .isTrue();
            client.start(Start.shell("touch /var/tmp/out 2>/dev/null || echo refused")
                            .with("sandbox", sandbox))
                    .awaitText("refused");
            assertThat(client.call(
                                    "fs/readFile",
                                    "path",
                                    "file:///etc/hostname",
                                    "sandbox",
                                    Json.object("profile", "nobody"))
                            .errorMessage())
                    .contains("undefined profile `nobody`");
        }
    }

    @Test
    void aChangedFileCountsAtOnceAndABrokenOneNever() throws IOException {
        try (ServerProcess server = serve();
                AppClient client = AppClient.connect(server.port()).handshake(true)) {
            Files.writeString(file, WRITES_HERE.replace("writer", "author"));
            assertThat(run(client, "permissionProfile", "author")).isEqualTo("written");
            assertThat(run(client, "permissionProfile", "writer")).contains("undefined profile");

            Files.writeString(file, "{\"profiles\": {\n  broken");
            assertThat(run(client, "permissionProfile", "author")).isEqualTo("written");
            server.awaitStderr("the profiles that were read before stay in force");
            Files.delete(file);
            assertThat(run(client, "permissionProfile", "author")).isEqualTo("written");
        }
    }

    @Test
    void fileCallsNoticeAChangeToo() throws IOException {
        try (ServerProcess server = serve();
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            Files.writeString(file, WRITES_HERE.replace("writer", "author"));
            Object sandbox =
                    Json.object("profile", "author", "cwd", folder.toUri().toString());

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> !client.call("fs/readFile", "path", "file:///etc/hostname", "sandbox", sandbox)
                            .failed());
        }
    }

    @Test
    void aFileThatCannotBeReadStopsTheStart() throws IOException {
        Files.writeString(file, "{\"profiles\": {\n  broken");
        try (ServerProcess server =
                ServerProcess.launched("--listen", "ws://127.0.0.1:0", "--profiles", file.toString())) {
            assertThat(server.exitStatus()).isNotZero();
            assertThat(server.stderr()).contains(file.toString()).contains("line 2");
        }
        try (ServerProcess server =
                ServerProcess.launched("--listen", "ws://127.0.0.1:0", "--default-profile", "nobody")) {
            assertThat(server.exitStatus()).isNotZero();
            assertThat(server.stderr()).contains("there is no profile `nobody`");
        }
    }
}
