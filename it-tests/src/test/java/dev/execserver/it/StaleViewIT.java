package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Something changes between two calls under one policy. The next answer of a server that keeps helpers warm is the one that
 * a helper gives which was started after the change.
 */
@Timeout(180)
class StaleViewIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    static final SharedServer WARM = SharedServer.with();

    @RegisterExtension
    static final SharedServer FRESH = SharedServer.with("--helper", "oneshot");

    @TempDir(factory = VarTmp.class)
    private Path base;

    private Path workspace;
    private WireClient warm;
    private WireClient fresh;

    @BeforeEach
    void prepare() throws IOException {
        workspace = Files.createDirectory(base.resolve("ws"));
        Files.writeString(workspace.resolve("a"), "content of a");
        Files.writeString(base.resolve("outside"), "secret");
        warm = WARM.client();
        fresh = FRESH.client();
    }

    private ObjectNode sandbox() {
        return Policies.of(
                workspace,
                entry("root", "read"),
                entry("project_roots", "write"),
                entry(base.resolve("outside"), "deny"));
    }

    private static Answer ask(WireClient client, ObjectNode sandbox, String method, Object... members) {
        ObjectNode params = Json.object(members);
        params.set("sandbox", sandbox);
        return client.send(method, params).answer(LIMIT);
    }

    /** The answer of both servers, which is the same but for its number. */
    private JsonNode both(ObjectNode sandbox, String method, Object... members) {
        JsonNode one = withoutId(ask(warm, sandbox, method, members));
        JsonNode other = withoutId(ask(fresh, sandbox, method, members));
        assertThat(one).isEqualTo(other);
        return one;
    }

    private static JsonNode withoutId(Answer answer) {
        ObjectNode copy = answer.message().deepCopy();
        copy.remove("id");
        return copy;
    }

    private JsonNode read(ObjectNode sandbox, Path file) {
        return both(sandbox, "fs/readFile", "path", file.toString());
    }

    private JsonNode write(ObjectNode sandbox, Path file) {
        return both(sandbox, "fs/writeFile", "path", file.toString(), "dataBase64", "eA==");
    }

    private static String text(JsonNode answer) {
        String data = answer.path("result").path("dataBase64").asText();
        return new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
    }

    private static String message(JsonNode answer) {
        return answer.path("error").path("message").asText();
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).as("%s", String.join(" ", command)).isZero();
    }

    @Test
    void aFileThatMatchesADeniedPatternAppears() throws IOException {
        ObjectNode glob = Policies.of(workspace, entry("root", "read"), Policies.denied(workspace + "/**/*.env"));
        assertThat(text(read(glob, workspace.resolve("a")))).isEqualTo("content of a");
        Files.writeString(workspace.resolve("new.env"), "token");
        assertThat(message(read(glob, workspace.resolve("new.env")))).isEqualTo("Permission denied (os error 13)");
        Files.delete(workspace.resolve("new.env"));
        assertThat(message(read(glob, workspace.resolve("new.env"))))
                .isEqualTo("No such file or directory (os error 2)");
    }

    @Test
    void aRepositoryAppears() throws IOException {
        write(sandbox(), workspace.resolve("b"));
        Path git = workspace.resolve(".git");
        run(() -> Files.createDirectories(git));
        Files.writeString(git.resolve("config"), "old");
        assertThat(message(write(sandbox(), git.resolve("config")))).isEqualTo("Read-only file system (os error 30)");
        assertThat(git.resolve("config")).hasContent("old");
    }

    /** Something that may meet what a sandbox has put there meanwhile. */
    private interface Change {
        Object make() throws IOException;
    }

    private static void run(Change change) throws IOException {
        Object unused = change.make();
    }

    @Test
    void theWorkspaceBecomesAnotherDirectoryAndThenALink() throws IOException {
        write(sandbox(), workspace.resolve("b"));
        Files.move(workspace, base.resolve("moved"));
        Files.createDirectory(workspace);
        assertThat(message(read(sandbox(), workspace.resolve("a"))))
                .isEqualTo("No such file or directory (os error 2)");
        write(sandbox(), workspace.resolve("c"));
        assertThat(workspace.resolve("c")).hasContent("x");
        assertThat(base.resolve("moved/c")).doesNotExist();

        Files.move(workspace, base.resolve("second"));
        Files.createSymbolicLink(workspace, base.resolve("moved"));
        assertThat(text(read(sandbox(), workspace.resolve("a")))).isEqualTo("content of a");
        write(sandbox(), workspace.resolve("d"));
        assertThat(base.resolve("second/d")).doesNotExist();
    }

    @Test
    void somethingIsMountedAndUnmounted() throws Exception {
        Path inside = Files.createDirectory(workspace.resolve("sub"));
        Path readOnly = Files.createDirectory(base.resolve("ro"));
        Files.writeString(inside.resolve("f"), "below");
        Files.writeString(readOnly.resolve("f"), "below");
        assertThat(text(read(sandbox(), inside.resolve("f")))).isEqualTo("below");
        write(sandbox(), readOnly.resolve("g"));
        run("mount", "-t", "tmpfs", "none", inside.toString());
        run("mount", "-t", "tmpfs", "none", readOnly.toString());
        try {
            assertThat(message(read(sandbox(), inside.resolve("f"))))
                    .isEqualTo("No such file or directory (os error 2)");
            write(sandbox(), inside.resolve("g"));
            assertThat(message(write(sandbox(), readOnly.resolve("g"))))
                    .isEqualTo("Read-only file system (os error 30)");
            run("mount", "-o", "remount,ro", inside.toString());
            assertThat(message(write(sandbox(), inside.resolve("g")))).isEqualTo("Read-only file system (os error 30)");
        } finally {
            run("umount", "-l", inside.toString());
            run("umount", "-l", readOnly.toString());
        }
        assertThat(text(read(sandbox(), inside.resolve("f")))).isEqualTo("below");
    }

    @Test
    void permissionsChange() throws IOException {
        write(sandbox(), workspace.resolve("b"));
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("r-xr-xr-x"));
        assertThat(message(write(sandbox(), workspace.resolve("c")))).isEqualTo("Permission denied (os error 13)");
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(message(write(sandbox(), workspace.resolve("c")))).isEmpty();
    }

    @Test
    void theWorkspaceIsDeletedAndComesBack() throws IOException {
        write(sandbox(), workspace.resolve("b"));
        Files.move(workspace, base.resolve("gone"));
        assertThat(message(write(sandbox(), workspace.resolve("c"))))
                .isEqualTo("No such file or directory (os error 2)");
        read(sandbox(), base.resolve("gone/a"));
        Files.createDirectory(workspace);
        assertThat(message(write(sandbox(), workspace.resolve("c")))).isEmpty();
    }
}
