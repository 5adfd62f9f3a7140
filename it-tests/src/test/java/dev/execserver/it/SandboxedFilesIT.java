package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** File calls with a sandbox: what the policy forbids fails as it does for a command, everything else is as without one. */
@Timeout(90)
class SandboxedFilesIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private WireClient client;
    private Path base;
    private Path workspace;

    @BeforeEach
    void prepare() throws IOException {
        client = SERVER.client();
        // not below /tmp, which workspace-write policies make writable
        base = Files.createTempDirectory(Path.of("/var/tmp").toRealPath(), "exec-server-it-");
        workspace = Files.createDirectory(base.resolve("ws"));
        Files.writeString(base.resolve("outside"), "secret");
        Files.writeString(workspace.resolve("a"), "content of a");
    }

    @AfterEach
    void cleanUp() throws IOException {
        try (var files = Files.walk(base)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private ObjectNode sandbox(ObjectNode... entries) {
        return Policies.of(workspace, entries);
    }

    private ObjectNode workspaceWrite() {
        return Policies.workspaceWrite(workspace);
    }

    private Answer ask(String method, ObjectNode sandbox, Object... members) {
        ObjectNode params = Json.object(members);
        params.set("sandbox", sandbox);
        return client.send(method, params).answer(Duration.ofSeconds(30));
    }

    private Answer write(ObjectNode sandbox, Path file, String text) {
        String data = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return ask("fs/writeFile", sandbox, "path", file.toString(), "dataBase64", data);
    }

    private Answer read(ObjectNode sandbox, Path file) {
        return ask("fs/readFile", sandbox, "path", file.toString());
    }

    private static String text(Answer answer) {
        return new String(Json.bytes(answer.result().get("dataBase64")), StandardCharsets.UTF_8);
    }

    private List<Long> helpers() {
        return ProcFs.descendants(SERVER.pid()).stream()
                .filter(pid -> ProcFs.commandLine(pid).contains("fs"))
                .toList();
    }

    @Test
    void theWorkspaceCanBeWrittenAndNothingElse() throws IOException {
        assertThat(write(workspaceWrite(), workspace.resolve("new"), "hello").failed())
                .isFalse();
        assertThat(workspace.resolve("new")).hasContent("hello");
        Answer outside = write(workspaceWrite(), base.resolve("outside"), "changed");
        assertThat(outside.errorCode()).isEqualTo(-32603);
        assertThat(outside.errorMessage()).isEqualTo("Read-only file system (os error 30)");
        assertThat(base.resolve("outside")).hasContent("secret");
        Files.createSymbolicLink(workspace.resolve("link"), base.resolve("outside"));
        assertThat(write(workspaceWrite(), workspace.resolve("link"), "changed").errorMessage())
                .isEqualTo("Read-only file system (os error 30)");
        assertThat(text(read(workspaceWrite(), base.resolve("outside")))).isEqualTo("secret");
    }

    @Test
    void protectedNamesCannotBeMadeAndNothingOfThemStays() throws IOException {
        assertThat(ask(
                                "fs/createDirectory",
                                workspaceWrite(),
                                "path",
                                workspace.resolve(".git/hooks").toString(),
                                "recursive",
                                true)
                        .failed())
                .isTrue();
        assertThat(write(workspaceWrite(), workspace.resolve("b"), "b").failed())
                .isFalse();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(workspace.toFile().list()).containsExactlyInAnyOrder("a", "b"));
    }

    @Test
    void whatIsDeniedCannotBeReadAndWhatIsNotGrantedIsNotThere() throws IOException {
        ObjectNode denied = sandbox(entry("root", "read"), entry(base.resolve("outside"), "deny"));
        Answer refused = read(denied, base.resolve("outside"));
        assertThat(refused.errorCode()).isEqualTo(-32600);
        assertThat(refused.errorMessage()).isEqualTo("Permission denied (os error 13)");
        ObjectNode narrow = Policies.narrow(workspace);
        assertThat(text(read(narrow, workspace.resolve("a")))).isEqualTo("content of a");
        assertThat(read(narrow, base.resolve("outside")).errorCode()).isEqualTo(-32004);
        Answer lost = write(narrow, base.resolve("outside"), "would be gone with the sandbox");
        assertThat(lost.errorMessage()).isEqualTo("Read-only file system (os error 30)");
    }

    @Test
    void anOpenedFileIsReadInBlocksAndThePolicyCountsWhenItIsOpened() throws IOException {
        ObjectNode narrow = Policies.narrow(workspace);
        assertThat(ask(
                                "fs/open",
                                narrow,
                                "handleId",
                                "h",
                                "path",
                                workspace.resolve("a").toString())
                        .failed())
                .isFalse();
        JsonNode block = client.call("fs/readBlock", "handleId", "h", "offset", 11, "len", 100)
                .result();
        assertThat(new String(Json.bytes(block.get("chunk")), StandardCharsets.UTF_8))
                .isEqualTo("a");
        assertThat(ask(
                                "fs/open",
                                narrow,
                                "handleId",
                                "i",
                                "path",
                                base.resolve("outside").toString())
                        .errorCode())
                .isEqualTo(-32004);
    }

    @Test
    void aWarmHelperNeverShowsAnOldView() throws IOException {
        ObjectNode glob = sandbox(
                entry("root", "read"), entry("project_roots", "write"), Policies.denied(workspace + "/**/*.env"));
        assertThat(text(read(glob, workspace.resolve("a")))).isEqualTo("content of a");
        Files.writeString(workspace.resolve("new.env"), "token");
        assertThat(read(glob, workspace.resolve("new.env")).errorMessage())
                .isEqualTo("Permission denied (os error 13)");

        assertThat(write(workspaceWrite(), workspace.resolve("b"), "b").failed())
                .isFalse();
        Path git = workspace.resolve(".git");
        await().atMost(Duration.ofSeconds(20)).until(() -> Files.notExists(git)); // what the sandbox needed there
        Files.createDirectory(git);
        Files.writeString(git.resolve("config"), "old");
        assertThat(write(workspaceWrite(), git.resolve("config"), "new").errorMessage())
                .isEqualTo("Read-only file system (os error 30)");

        Files.move(workspace, base.resolve("moved"));
        Files.createDirectory(workspace);
        assertThat(write(workspaceWrite(), workspace.resolve("c"), "c").failed())
                .isFalse();
        assertThat(workspace.resolve("c")).hasContent("c");
        assertThat(base.resolve("moved").resolve("c")).doesNotExist();
    }

    @Test
    void aHelperThatIsKilledFailsNoReadThatComesLater() {
        ObjectNode narrow = Policies.narrow(workspace);
        assertThat(text(read(narrow, workspace.resolve("a")))).isEqualTo("content of a");
        helpers().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        assertThat(text(read(narrow, workspace.resolve("a")))).isEqualTo("content of a");
    }

    @Test
    void aHelperRunsFromItsStartUpCacheAndCanChangeNothingThatItRunsFrom() {
        assertThat(text(read(Policies.narrow(workspace), workspace.resolve("a"))))
                .isEqualTo("content of a");
        long java = helpers().getLast();
        List<String> command = ProcFs.commandLine(java);
        Path jar = Path.of(command.get(command.indexOf("-jar") + 1));
        Path cache = jar.resolveSibling("helper.aot");
        assertThat(ProcFs.maps(java)).contains(cache.toString());

        Path installation = jar.getParent();
        ObjectNode wide = sandbox(entry("root", "read"), entry(installation.getParent(), "write"));
        Path runtime = Path.of(command.getFirst()).resolve("../../release").normalize();
        for (Path part : List.of(jar, cache, runtime)) {
            Answer refused = ask("fs/append", wide, "path", part.toString(), "dataBase64", "");
            assertThat(refused.errorMessage()).as("%s", part).isEqualTo("Read-only file system (os error 30)");
        }
        ObjectNode whole = sandbox(entry("root", "read"), entry(installation, "write"));
        assertThat(ask("fs/append", whole, "path", jar.toString(), "dataBase64", "")
                        .errorMessage())
                .contains("makes " + installation + " writable", "no command may change that");
        ObjectNode one = sandbox(entry("root", "read"), entry(jar, "write"));
        assertThat(read(one, workspace.resolve("a")).errorMessage()).contains("no command may change that");
        assertThat(write(one, workspace.resolve("b"), "").errorMessage()).contains("no command may change that");
    }

    @Test
    void helpersEndWithTheirSession() {
        WireClient own = SERVER.client();
        ObjectNode narrow = Policies.narrow(workspace);
        ObjectNode params = Json.object("path", workspace.resolve("a").toString());
        params.set("sandbox", narrow);
        List<Long> before = helpers();
        assertThat(own.send("fs/readFile", params)
                        .answer(Duration.ofSeconds(30))
                        .failed())
                .isFalse();
        // Helpers of other tests' sessions may be on their way out, too.
        List<Long> ours = new ArrayList<>(helpers());
        ours.removeAll(before);
        assertThat(ours).isNotEmpty();
        own.call("session/end").result();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(helpers()).doesNotContainAnyElementsOf(ours));
    }

    @Test
    void aProfileThatNeedsADirectoryIsRefusedWithoutOne() {
        ObjectNode sandbox = workspaceWrite();
        sandbox.remove("cwd");
        Answer answer = read(sandbox, workspace.resolve("a"));
        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage())
                .isEqualTo("file system sandbox context with dynamic permissions requires cwd");
    }
}
