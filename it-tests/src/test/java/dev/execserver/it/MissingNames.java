package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protected names that do not exist yet: nobody inside can make them, and no user trips over what keeps them from it. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MissingNames {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int NOBODY = 65534;

    private final List<String> prefix;
    private DistributionCopy copy;
    private ServerProcess server;
    private WireClient client;
    private Path workspace;

    /** @param prefix runs the server as somebody else */
    MissingNames(List<String> prefix) {
        this.prefix = prefix;
    }

    @BeforeAll
    void start() throws IOException {
        copy = DistributionCopy.create("names-");
        Path spill = give(Files.createDirectory(copy.folder().resolve("spill")));
        server = copy.start(() -> ServerProcess.listening(prefix, Map.of(), "--spill-dir", spill.toString()));
        client = WireClient.connect(server.port());
        client.handshake();
    }

    @AfterAll
    void stop() {
        client.close();
        server.close();
        copy.close();
    }

    @BeforeEach
    void makeWorkspace() throws IOException {
        workspace = give(Files.createTempDirectory(copy.folder(), "ws"));
    }

    private Path give(Path path) throws IOException {
        if (!prefix.isEmpty()) {
            Files.setAttribute(path, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
        }
        return path;
    }

    private RemoteProcess sandboxed(String script) {
        return client.start(Start.shell(script)
                .env("LC_ALL", "C")
                .with("cwd", workspace.toUri().toString())
                .with("sandbox", Policies.workspaceWrite(workspace)));
    }

    /** What the user does outside of the sandbox. */
    private String user(String script) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("/bin/sh", "-c", script));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(workspace.toFile()).redirectErrorStream(true);
        builder.environment().putAll(Map.of("HOME", workspace.toString(), "GIT_CONFIG_NOSYSTEM", "1", "LC_ALL", "C"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    private Answer call(String method, ObjectNode params) {
        params.set("sandbox", Policies.workspaceWrite(workspace));
        return client.send(method, params).answer(PATIENCE);
    }

    @Test
    @DisplayName("C57: while a command runs its user can git init and write below .codex; both stay")
    void c57_theUserCanMakeARepositoryMeanwhile() throws IOException, InterruptedException {
        RemoteProcess running = sandboxed("echo ready; sleep 60");
        running.awaitText("ready");
        user("git init -q . && echo 'model = 1' > .codex/config.toml && git status --short");
        running.terminate();
        running.closed();
        assertThat(user("git rev-parse --is-inside-work-tree; git config --get core.bare; cat .codex/config.toml"))
                .isEqualTo("true\nfalse\nmodel = 1\n");
        assertThat(workspace.toFile().list()).containsExactlyInAnyOrder(".git", ".codex");
        assertThat((int) Files.getAttribute(workspace.resolve(".git"), "unix:mode") & 07777)
                .as("no mark stays")
                .isEqualTo(0755);
    }

    @Test
    @DisplayName("C57: what the user has made meanwhile can be read by the command, and not written")
    void c57_theCommandCannotWriteWhatTheUserHasMade() throws IOException, InterruptedException {
        RemoteProcess running = client.start(Start.shell("echo ready; read go; cat .git/HEAD; echo x > .git/config;"
                        + " mkdir .git/y; rm -r .git; mv .git z; rmdir .aws; mkdir .agents; echo x > .codex/f; exit 0")
                .stdin()
                .env("LC_ALL", "C")
                .with("cwd", workspace.toUri().toString())
                .with("sandbox", Policies.workspaceWrite(workspace)));
        running.awaitText("ready");
        user("git init -q .");
        String config = Files.readString(workspace.resolve(".git/config"));
        running.write("go\n");
        running.closed();
        assertThat(running.text())
                .contains("ref: refs/heads/", "Read-only file system", "Device or resource busy", "File exists");
        assertThat(workspace.resolve(".git/config")).hasContent(config);
        assertThat(workspace.toFile().list()).containsExactly(".git");
    }

    @Test
    void nothingStaysOfACommandAndNothingCanBeMadeByIt() {
        RemoteProcess process = sandboxed("for n in .git .codex .agents .aws; do mkdir $n/x; echo x > $n/f; rmdir $n;"
                + " mv $n y; ln -sfnT /tmp $n; done; chmod 700 .git; echo fine > file");
        process.closed();
        assertThat(process.text()).contains("Read-only file system", "Device or resource busy");
        assertThat(workspace.toFile().list()).containsExactly("file");
    }

    @Test
    @DisplayName("a sandboxed file call puts nothing into the workspace, not even for a moment")
    void aFileCallPutsNothingIntoTheWorkspace() throws IOException, InterruptedException {
        String data = "eA==";
        assertThat(call("fs/writeFile", Json.object("path", workspace + "/a", "dataBase64", data))
                        .failed())
                .isFalse();
        assertThat(workspace.toFile().list()).containsExactly("a");
        user("git init -q . && mkdir .codex");
        assertThat(call("fs/writeFile", Json.object("path", workspace + "/.git/config", "dataBase64", data))
                        .errorMessage())
                .isEqualTo("Read-only file system (os error 30)");
        assertThat(call("fs/createDirectory", Json.object("path", workspace + "/.aws", "recursive", false))
                        .errorMessage())
                .isEqualTo("Permission denied: `" + workspace + "/.aws` is protected by the sandbox");
        assertThat(workspace.toFile().list()).containsExactlyInAnyOrder("a", ".git", ".codex");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "fs/createDirectory | {'path':'$/.git','recursive':false}",
                "fs/createDirectory | {'path':'$/.git/hooks','recursive':true}",
                "fs/createDirectory | {'path':'$/d/../.codex','recursive':false}",
                "fs/createDirectory | {'path':'$/up/.agents','recursive':true}",
                "fs/writeFile       | {'path':'$/.git','dataBase64':'eA=='}",
                "fs/writeFile       | {'path':'$/dangling','dataBase64':'eA=='}",
                "fs/writeFile       | {'path':'$/dangling','dataBase64':'eA==','atomic':true}",
                "fs/writeFile       | {'path':'$/.aws','dataBase64':'eA==','expect':{'absent':true}}",
                "fs/append          | {'path':'$/.codex','dataBase64':'eA=='}",
                "fs/append          | {'path':'$/dangling','dataBase64':'eA=='}",
                "fs/open            | {'handleId':'h','path':'$/.git','mode':'replace'}",
                "fs/rename          | {'sourcePath':'$/f','destinationPath':'$/.git'}",
                "fs/rename          | {'sourcePath':'$/d','destinationPath':'$/d/../.git'}",
                "fs/copy            | {'sourcePath':'$/f','destinationPath':'$/.git','recursive':false}",
                "fs/copy            | {'sourcePath':'$/f','destinationPath':'$/dangling','recursive':false}",
                "fs/copy            | {'sourcePath':'$/d','destinationPath':'$/.git','recursive':true}",
                "fs/copy            | {'sourcePath':'$/d','destinationPath':'$','recursive':true}",
                "fs/copy            | {'sourcePath':'$/up','destinationPath':'$/.agents','recursive':false}"
            })
    void noFileCallMakesAProtectedName(String method, String params) throws IOException {
        give(Files.writeString(workspace.resolve("f"), "f"));
        Path tree = give(Files.createDirectory(workspace.resolve("d")));
        give(Files.createDirectory(tree.resolve(".git")));
        give(Files.writeString(tree.resolve(".git/config"), "evil"));
        give(Files.createSymbolicLink(workspace.resolve("up"), Path.of(".")));
        give(Files.createSymbolicLink(workspace.resolve("dangling"), Path.of(".git")));
        JsonNode sent = Json.parse(params.replace('\'', '"').replace("$", workspace.toString()));
        Answer answer = call(method, (ObjectNode) sent);
        assertThat(answer.failed()).isTrue();
        assertThat(answer.errorCode()).isEqualTo(-32600);
        assertThat(answer.errorMessage())
                .matches(
                        "Permission denied: `" + workspace + "/\\.(git|codex|agents|aws)` is protected by the sandbox");
        assertThat(answer.error().at("/data/errno").asInt()).isEqualTo(13);
        assertThat(workspace.toFile().list()).containsExactlyInAnyOrder("f", "d", "up", "dangling");
    }

    @Test
    @DisplayName("a name that somebody makes after the view was built is refused as well")
    void aNameThatAppearsMeanwhileIsRefused() throws IOException, InterruptedException {
        RemoteProcess running = sandboxed("echo ready; sleep 60");
        running.awaitText("ready");
        user("git init -q .");
        String config = Files.readString(workspace.resolve(".git/config"));
        for (String name : List.of(".git/config", ".git/new", ".git/hooks/pre-commit")) {
            Answer answer = call("fs/writeFile", Json.object("path", workspace + "/" + name, "dataBase64", "eA=="));
            assertThat(answer.failed()).as(name).isTrue();
        }
        assertThat(call("fs/setMode", Json.object("path", workspace + "/.git/config", "mode", 0777))
                        .failed())
                .isTrue();
        assertThat(call("fs/remove", Json.object("path", workspace + "/.git", "recursive", true, "force", true))
                        .errorMessage())
                .isEqualTo("Permission denied: `" + workspace + "/.git` is protected by the sandbox");
        running.terminate();
        running.closed();
        assertThat(workspace.resolve(".git/config")).hasContent(config);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(workspace.toFile().list()).containsExactly(".git"));
    }

    @Test
    @DisplayName("errors tell of protected and denied places, not of file systems that are mounted there")
    void errorsTellTheTruth() throws IOException {
        Files.createDirectories(workspace.resolve(".git/hooks"));
        Path denied = Files.createDirectory(workspace.resolve("denied"));
        Files.writeString(denied.resolve("f"), "f");
        give(workspace.resolve(".git"));
        give(denied);
        ObjectNode sandbox = Policies.of(
                workspace,
                Policies.entry("root", "read"),
                Policies.entry("project_roots", "write"),
                Policies.entry(denied, "deny"));
        assertThat(message("fs/remove", sandbox, "path", workspace + "/.git", "recursive", true, "force", false))
                .isEqualTo("Permission denied: `" + workspace + "/.git` is protected by the sandbox");
        assertThat(message("fs/remove", sandbox, "path", denied.toString(), "recursive", true, "force", false))
                .isEqualTo("Permission denied: `" + denied + "` is denied by the sandbox");
        assertThat(message("fs/readFile", sandbox, "path", denied.toString()))
                .isEqualTo("Permission denied: `" + denied + "` is denied by the sandbox");
        assertThat(message(
                        "fs/rename", sandbox, "sourcePath", workspace + "/.git", "destinationPath", workspace + "/x"))
                .isEqualTo("Permission denied: `" + workspace + "/.git` is protected by the sandbox");
        assertThat(message("fs/remove", sandbox, "path", workspace.toString(), "recursive", true, "force", false))
                .isEqualTo("Permission denied: `" + workspace + "` is needed by the sandbox where it is");
    }

    private String message(String method, ObjectNode sandbox, Object... members) {
        ObjectNode params = Json.object(members);
        params.set("sandbox", sandbox);
        return client.send(method, params).answer(PATIENCE).errorMessage();
    }
}
