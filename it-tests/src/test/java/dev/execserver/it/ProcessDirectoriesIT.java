package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Working directories that are another place for each process, and file calls of a profile that confines no files. */
@Timeout(60)
class ProcessDirectoriesIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path workspace;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/proc/self",
                "/proc/self/cwd",
                "/proc/thread-self/root",
                "/dev/fd",
                "/proc/self/fd",
                "/proc/self/root/tmp"
            })
    void aWorkingDirectoryThatDependsOnTheProcessIsRefused(String cwd) {
        Start start = Start.of("pwd").with("cwd", "file://" + cwd);
        for (Start each : new Start[] {
            start, Start.of("pwd").with("cwd", "file://" + cwd).with("sandbox", Policies.workspaceWrite(workspace))
        }) {
            Answer answer = SERVER.client().sendStart(each).started();
            assertThat(answer.errorCode()).isEqualTo(-32602);
            assertThat(answer.errorMessage()).contains("is another directory for each process");
        }
    }

    @Test
    void aLinkToSuchAPlaceIsRefusedToo() throws IOException {
        Path link = Files.createSymbolicLink(workspace.resolve("link"), Path.of("/proc/self/task"));
        Answer answer = SERVER.client()
                .sendStart(Start.of("pwd").with("cwd", link.toUri().toString()))
                .started();
        assertThat(answer.errorMessage()).contains("is another directory for each process");
    }

    @Test
    void unrestrictedFilesAreWrittenWithoutANetwork() {
        ObjectNode sandbox = Policies.workspaceWrite(workspace);
        ((ObjectNode) sandbox.get("permissions")).set("file_system", Json.object("type", "unrestricted"));
        Path file = workspace.resolve("f");
        Answer answer = SERVER.client()
                .call(
                        "fs/writeFile",
                        "path",
                        file.toUri().toString(),
                        "dataBase64",
                        Base64.getEncoder().encodeToString("text".getBytes(StandardCharsets.UTF_8)),
                        "sandbox",
                        sandbox);
        assertThat(answer.failed()).as("%s", answer).isFalse();
        assertThat(file).hasContent("text");
    }
}
