package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of the server that their owner replaces by a rename, or makes later, while commands run that may write around them. */
@Timeout(120)
class ReplacedFilesIT {
    private static final String RULE = "prefix_rule([\"/usr/bin/true\"], decision=\"allow\")\n";

    @TempDir(factory = VarTmp.class)
    private Path base;

    private Path workspace;
    private Path own;

    @BeforeEach
    void make() throws IOException {
        workspace = Files.createDirectory(base.resolve("ws"));
        own = Files.createDirectory(base.resolve("own"));
    }

    private static void replace(Path file, String text) throws IOException {
        Path next = Files.writeString(file.resolveSibling("next"), text);
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Everything can be read, the folder above all files of this test can be written. */
    private ObjectNode writesAround() {
        return Policies.of(workspace, entry("root", "read"), entry(base, "write"));
    }

    private static String go(RemoteProcess command) {
        command.write("go\n");
        command.closed();
        return command.text();
    }

    @Test
    void aTokenThatIsReplacedInAFolderOfItsOwnStaysHiddenFromCommandsThatRun() throws IOException {
        Path token = Files.writeString(own.resolve("token"), "first-0123456789\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        try (ServerProcess server =
                        ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token.toString());
                WireClient client =
                        WireClient.connect(server.port(), Map.of("Authorization", "Bearer first-0123456789"))) {
            client.handshake();
            RemoteProcess command = client.start(
                    Start.shell("read go; cat %1$s/*; ls %1$s; cat %1$s/token; mv %1$s %1$s-2".formatted(own))
                            .stdin()
                            .with("sandbox", writesAround()));
            replace(token, "second-0123456789\n");

            assertThat(go(command)).doesNotContain("second", "first").contains("Permission denied", "busy");
        }
    }

    @Test
    void aSecretBehindTheLinksOfAContainerIsHiddenWithTheFolderOfItsDate() throws IOException {
        Path dated = Files.createDirectory(own.resolve("..2026_01"));
        Files.writeString(dated.resolve("token"), "first-0123456789\n");
        Files.createSymbolicLink(own.resolve("..data"), Path.of("..2026_01"));
        Path token = Files.createSymbolicLink(own.resolve("token"), Path.of("..data/token"));
        try (ServerProcess server =
                        ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token.toString());
                WireClient client =
                        WireClient.connect(server.port(), Map.of("Authorization", "Bearer first-0123456789"))) {
            client.handshake();
            RemoteProcess command = client.start(Start.shell("read go; cat %1$s/token %1$s/..*/token".formatted(own))
                    .stdin()
                    .with("sandbox", writesAround()));
            Path next = Files.createDirectory(own.resolve("..2026_02"));
            Files.writeString(next.resolve("token"), "second-0123456789\n");
            Files.createSymbolicLink(own.resolve("..tmp"), Path.of("..2026_02"));
            Files.move(own.resolve("..tmp"), own.resolve("..data"), StandardCopyOption.REPLACE_EXISTING);

            assertThat(go(command)).doesNotContain("second", "first");
        }
    }

    @Test
    void rulesAndProfilesThatAreReplacedInAFolderOfTheirOwnCannotBeWritten() throws IOException {
        Path rules = Files.writeString(own.resolve("operator.rules"), RULE);
        Path profiles = Files.writeString(own.resolve("profiles.json"), "{\"profiles\":{}}");
        try (ServerProcess server =
                        ServerProcess.listening("--exec-rules", rules.toString(), "--profiles", profiles.toString());
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess command = client.start(Start.shell(
                            "read go; cd %s; for f in *; do cat $f; echo x >>$f; done; touch new.rules".formatted(own))
                    .stdin()
                    .with("sandbox", writesAround()));
            replace(rules, RULE + "# second\n");
            replace(profiles, "{\"profiles\":{} }");

            assertThat(go(command)).contains("# second", "Read-only file system");
            assertThat(Files.readString(rules)).isEqualTo(RULE + "# second\n");
            assertThat(profiles).content().isEqualTo("{\"profiles\":{} }");
            assertThat(own.resolve("new.rules")).doesNotExist();
        }
    }

    @Test
    void anEntryForSuchAFolderIsHeededAndTheFilesInItAreStillMasked() throws IOException {
        Path rules = Files.writeString(own.resolve("operator.rules"), RULE);
        try (ServerProcess server = ServerProcess.listening("--exec-rules", rules.toString());
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess command = client.start(Start.shell("touch %1$s/mine; echo x >>%2$s".formatted(own, rules))
                    .with("sandbox", Policies.of(workspace, entry("root", "read"), entry(own, "write"))));
            command.closed();

            assertThat(own.resolve("mine")).exists();
            assertThat(rules).content().isEqualTo(RULE);
        }
    }

    @Test
    void theProfileOfMcpClientsIsReadOnlyForCommands() throws IOException {
        Files.createFile(own.resolve("other"));
        String text =
                "{\"type\":\"managed\",\"network\":\"restricted\",\"file_system\":{\"type\":\"restricted\",\"entries\":[]}}";
        Path profile = Files.writeString(own.resolve("profile.json"), text);
        try (ServerProcess server = ServerProcess.listening("--mcp", "on", "--mcp-profile", profile.toString());
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            client.start(Start.shell("echo >%1$s; rm %1$s; mv %2$s %2$s-2".formatted(profile, own))
                            .with("sandbox", writesAround()))
                    .closed();
        }
        assertThat(profile).content().isEqualTo(text);
    }

    @Test
    void rulesThatAreMissingAtTheStartCannotBeMadeByACommandForTheNextServer() throws Exception {
        Path home = Files.createDirectory(base.resolve("home"));
        String profile =
                "{\"type\":\"managed\",\"network\":\"restricted\",\"file_system\":{\"type\":\"restricted\",\"entries\":["
                        + List.of(entry("root", "read"), entry(base, "write")).stream()
                                .map(ObjectNode::toString)
                                .reduce((a, b) -> a + "," + b)
                                .orElseThrow()
                        + "]}}";
        try (McpStdio mcp = McpStdio.start(Map.of("HOME", home.toString()), "--profile", profile)
                .initialized()) {
            mcp.shell(
                    "mkdir -p %1$s/.codex/rules; echo >%1$s/.codex/rules/default.rules; ln -s /tmp %1$s/.codex"
                            .formatted(home),
                    workspace.toString());
        }
        assertThat(home.resolve(".codex")).doesNotExist();
    }
}
