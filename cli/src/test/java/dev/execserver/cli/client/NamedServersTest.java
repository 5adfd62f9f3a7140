package dev.execserver.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.cli.local.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which server a command means, and with which credential. */
class NamedServersTest {
    @TempDir
    private Path home;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void write() throws IOException {
        environment.put("HOME", home.toString());
        token("build.token", "of-build");
        token("other.token", "of-environment");
        file("""
                # comment
                default = box

                [build]
                url = wss://build:4000
                token-file = ~/build.token
                ca-file = /ca.pem

                [box]
                url = docker:box
                server-program = /opt/exec-server/bin/exec-server

                [vault]
                url = wss://vault:1
                token-command = echo "from $((40+2))"
                """);
    }

    private void file(String text) throws IOException {
        Path folder = Files.createDirectories(home.resolve(".config/exec-server"));
        Files.writeString(folder.resolve("config"), text);
    }

    private void token(String name, String text) throws IOException {
        Path file = Files.writeString(home.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private ServerTarget target(String... options) {
        return ServerTarget.of(
                Arguments.read(RunCommand.USAGE, List.of(options)).orElseThrow(), environment);
    }

    @Test
    void aServerIsNamed() {
        ServerTarget build = target("-H", "build");
        assertThat(build.url()).isEqualTo("wss://build:4000");
        assertThat(build.token()).contains("of-build");
        assertThat(build.caFile()).contains(Path.of("/ca.pem"));
        assertThat(target("--server", "vault").tokenCommand()).contains("echo \"from $((40+2))\"");
    }

    @Test
    void withoutANameTheVariablesGoBeforeTheDefault() {
        ServerTarget box = target();
        assertThat(box.url()).isEqualTo("docker:box");
        assertThat(box.program()).contains("/opt/exec-server/bin/exec-server");
        environment.put("EXEC_SERVER_URL", "ws://h:1");
        assertThat(target().url()).isEqualTo("ws://h:1");
        assertThat(target("--url", "ws://g:1").url()).isEqualTo("ws://g:1");
        assertThat(target("-H", "build").url()).isEqualTo("wss://build:4000");
    }

    @Test
    void aTokenGoesToNoServerForWhichItWasNotMeant() {
        environment.put("EXEC_SERVER_TOKEN_FILE", home.resolve("other.token").toString());
        assertThat(target("-H", "build").token()).contains("of-build");
        assertThat(target().token()).as("of the default server").isEmpty();
        assertThat(target("--url", "ws://h:1").token()).contains("of-environment");
        assertThatThrownBy(() -> target("-H", "build", "--url", "ws://evil:1"))
                .hasMessage("--server and --url exclude each other");
    }

    @Test
    void anOptionReplacesTheCredentialOfTheFile() {
        assertThat(target(
                        "-H",
                        "vault",
                        "--token-file",
                        home.resolve("build.token").toString()))
                .returns(Optional.of("of-build"), ServerTarget::token)
                .returns(Optional.empty(), ServerTarget::tokenCommand);
        assertThat(target("-H", "build", "--token-command", "x"))
                .returns(Optional.empty(), ServerTarget::token)
                .returns(Optional.of("x"), ServerTarget::tokenCommand);
    }

    @Test
    void whatIsWrongIsNamed() throws IOException {
        refused(
                "no server `nosuch` in " + home.resolve(".config/exec-server/config") + "; there are build, box, vault",
                "-H",
                "nosuch");
        file("[a]\nport = 1\n");
        refused(
                "line 2: unknown key `port`; there are url, token-file, token-command, ca-file, server-program",
                "-H",
                "a");
        file("url = x\n");
        refused("line 1: unknown key `url`; before the first [NAME] stands `default` only", "-H", "a");
        file("[a]\nurl\n");
        refused("line 2: not KEY = VALUE", "-H", "a");
        file("");
        refused("no server is named");
    }

    @Test
    void aFileThatOthersCanChangeIsRefused() throws IOException {
        Files.setPosixFilePermissions(
                home.resolve(".config/exec-server/config"), PosixFilePermissions.fromString("rw-rw-rw-"));
        refused("can be changed by every user", "-H", "build");
    }

    @Test
    void aFileInAFolderThatItsGroupCanChangeIsRefused() throws IOException {
        Path folder = home.resolve(".config/exec-server");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));
        refused(
                "can be replaced by the group of " + folder + ", which has mode 0775; chmod g-w makes that right",
                "-H",
                "build");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(target("-H", "build").url()).isEqualTo("wss://build:4000");
    }

    private void refused(String message, String... options) {
        assertThatThrownBy(() -> target(options))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aTokenCommandIsRunAndItsFailureIsSaid() {
        assertThat(new TokenCommand("echo ' secret '; cat").get()).isEqualTo("secret");
        assertThatThrownBy(() -> new TokenCommand("echo x; exit 3").get())
                .hasMessage("the token command ended with status 3");
        assertThatThrownBy(() -> new TokenCommand("true").get())
                .hasMessage("the output of the token command must not be empty");
        assertThatThrownBy(() -> new TokenCommand("yes").get()).hasMessageContaining("more than 65536 bytes");
    }

    @Test
    void aTokenCommandThatTakesTooLongIsEndedWithWhatItHasStarted() {
        Path pids = home.resolve("pids");
        String line = "echo $$ >'%1$s'; sleep 1000 & echo $! >>'%1$s'; wait; echo token".formatted(pids);
        assertThatThrownBy(() -> new TokenCommand(line, Duration.ofSeconds(3)).get())
                .hasMessage("the token command has not ended after 3 s");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(Files.readAllLines(pids))
                        .hasSize(2)
                        .noneMatch(pid -> ProcessHandle.of(Long.parseLong(pid))
                                .filter(ProcessHandle::isAlive)
                                .isPresent()));
    }

    @ParameterizedTest
    @CsvSource({
        "ssh:me@build, ssh -T -- me@build exec-server --listen stdio",
        "ssh://me@build:22, ssh -T -- ssh://me@build:22 exec-server --listen stdio",
        "ssh:me@[::1], ssh -T -- me@[::1] exec-server --listen stdio",
        "docker:box_1, docker exec -i box_1 exec-server --listen stdio"
    })
    void aServerIsStartedByArguments(String url, String argv) {
        assertThat(ProgramUrl.argv(url, Optional.empty())).endsWith(argv.split(" "));
    }

    @Test
    void sshIsDeafForTheKeysOfTheTerminalAndDockerDoesNotGetThem() {
        assertThat(ProgramUrl.argv("ssh:h", Optional.empty()).subList(0, 5))
                .containsExactly("sh", "-c", "trap '' HUP INT QUIT; exec \"$@\"", "sh", "ssh");
        assertThat(ProgramUrl.argv("docker:box", Optional.empty())).startsWith("setsid", "docker");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ssh:-oProxyCommand=id",
                "ssh:",
                "ssh:a b",
                "ssh:a;id",
                "ssh:a$(id)",
                "ssh:a`id`",
                "ssh:a|id",
                "ssh://-oX",
                "docker:-it",
                "docker:",
                "docker:a/b",
                "docker:a b"
            })
    void otherUrlsAreRefused(String url) {
        assertThatThrownBy(() -> ProgramUrl.argv(url, Optional.empty())).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a;id", "$(id)", "-x", "a'b", "a\nb", "a&"})
    void aPathThatAShellWouldUnderstandIsRefused(String program) {
        assertThatThrownBy(() -> ProgramUrl.argv("ssh:h", Optional.of(program))).isInstanceOf(ConfigException.class);
    }
}
