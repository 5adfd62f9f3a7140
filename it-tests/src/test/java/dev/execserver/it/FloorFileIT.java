package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file that the operator's floor is read from, and what clients are told of it. */
@Timeout(90)
class FloorFileIT {
    private static final int STRANGER = 4711;
    private static final String WORKSPACE_WRITE = """
            {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
             {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
             {"path":{"type":"path","path":"%s"},"access":"write"}]}}""";

    @TempDir(factory = VarTmp.class)
    private Path base;

    private Path workspace;

    @BeforeEach
    void make() throws IOException {
        workspace = Files.createDirectory(base.resolve("ws"));
    }

    private Path floorIn(Path directory) throws IOException {
        Files.createDirectories(directory);
        return Files.writeString(directory.resolve("floor.json"), WORKSPACE_WRITE.formatted(workspace));
    }

    private static WireClient connect(ServerProcess server) {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        return client;
    }

    @Test
    void clientsAreToldOfTheFloor() throws IOException {
        Path floor = floorIn(base);
        try (ServerProcess server = ServerProcess.listening("--require-sandbox", "--sandbox-floor", floor.toString());
                WireClient client = connect(server)) {
            JsonNode told = client.call("sandbox/status").result().get("floor");

            assertThat(told.get("requireSandbox").booleanValue()).isTrue();
            assertThat(told.get("file").textValue()).isEqualTo(floor.toString());
            assertThat(told.at("/permissions/file_system/entries/1/path/path").textValue())
                    .endsWith(workspace.toString());
            assertThat(server.stderr()).doesNotContain("lies where commands");
        }
    }

    @Test
    void withoutAFloorThatIsSaid() {
        try (ServerProcess server = ServerProcess.listening();
                WireClient client = connect(server)) {
            assertThat(client.call("sandbox/status").result().get("floor"))
                    .isEqualTo(Json.parse("{\"requireSandbox\":false,\"file\":null,\"permissions\":null}"));
        }
    }

    @Test
    void c114_aFloorFileThatOthersCouldChangeIsRefusedAtTheStart() throws IOException {
        Path floor = floorIn(base.resolve("conf"));
        Files.setPosixFilePermissions(floor, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertRefused(floor, floor + " has mode 0666; chmod go-w makes that right");
        Files.setPosixFilePermissions(floor, PosixFilePermissions.fromString("rw-rw-r--"));
        assertRefused(floor, floor + " has mode 0664");
        Files.setPosixFilePermissions(floor, PosixFilePermissions.fromString("rw-r--r--"));

        Path loose = Files.createDirectory(base.resolve("loose"));
        Files.setPosixFilePermissions(loose, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path link = Files.createSymbolicLink(loose.resolve("link"), floor);
        assertRefused(link, loose + " is writable by others and not sticky");

        Path theirs = Files.createSymbolicLink(base.resolve("theirs"), floor);
        Files.setAttribute(theirs, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
        assertRefused(theirs, theirs + " is a link of user " + STRANGER);

        Files.setAttribute(floor, "unix:uid", STRANGER);
        assertRefused(floor, floor + " belongs to user " + STRANGER);
    }

    private static void assertRefused(Path floor, String why) {
        try (ServerProcess server =
                ServerProcess.launched("--listen", "ws://127.0.0.1:0", "--sandbox-floor", floor.toString())) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr())
                    .contains("--sandbox-floor " + floor
                            + " bounds what clients may do, and other users could change it: ")
                    .contains(why);
        }
    }

    @Test
    void aFloorFileInAWorkspaceIsReadOnlyForCommandsAndWarnedAbout() throws IOException {
        Path floor = floorIn(workspace.resolve("conf"));
        // A folder that holds nothing else is kept as a whole, and nobody is warned.
        Files.writeString(floor.resolveSibling("other.conf"), "");
        String before = Files.readString(floor);
        try (ServerProcess server = ServerProcess.listening("--sandbox-floor", floor.toString());
                WireClient client = connect(server)) {
            String warning =
                    "the file of --sandbox-floor, " + floor + ", lies where commands under the floor can write";
            server.awaitStderr(warning);
            assertThat(client.call("sandbox/status").result().get("warnings").toString())
                    .contains(warning);
            assertThat(client.call("environment/info").result().get("warnings").toString())
                    .contains(warning);
            RemoteProcess process = client.start(Start.shell(
                            "echo x > conf/floor.json; rm conf/floor.json; mv conf moved; echo ok > other; cat other")
                    .with("cwd", workspace.toUri().toString())
                    .with("sandbox", Policies.workspaceWrite(workspace)));
            process.closed();

            assertThat(new String(process.events().output(), StandardCharsets.UTF_8))
                    .contains("Read-only file system", "Device or resource busy", "ok");
            assertThat(floor).hasContent(before);
        }
    }

    @Test
    void aFloorBehindALinkThatCommandsCanReplaceIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(workspace.resolve("link"), floorIn(base));
        try (ServerProcess server =
                ServerProcess.launched("--listen", "ws://127.0.0.1:0", "--sandbox-floor", link.toString())) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr())
                    .contains("leads through the link " + link + ", which commands under the floor can replace");
        }
    }

    @Test
    void aFloorThatConfinesNothingIsWarnedAbout() throws IOException {
        Path floor = Files.writeString(base.resolve("floor.json"), "{\"type\":\"disabled\"}");
        try (ServerProcess server = ServerProcess.listening("--sandbox-floor", floor.toString())) {
            server.awaitStderr("run without a sandbox around files and can change that file");
        }
    }
}
