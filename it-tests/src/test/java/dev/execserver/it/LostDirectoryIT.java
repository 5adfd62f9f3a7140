package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody tidies up temporary files while the server runs. */
@Timeout(90)
class LostDirectoryIT {
    @TempDir(factory = VarTmp.class)
    private Path base;

    @TempDir(factory = VarTmp.class)
    private Path workspace;

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private RemoteProcess run(WireClient client, String script) {
        RemoteProcess process = client.start(Start.shell(script)
                .with("cwd", workspace.toUri().toString())
                .with("sandbox", Policies.workspaceWrite(workspace)));
        process.closed();
        return process;
    }

    @Test
    void sandboxesAreBuiltAfterTheDirectoriesOfTheServerWereRemoved() throws IOException {
        Path state = Files.createDirectory(base.resolve("state"));
        try (ServerProcess server = ServerProcess.listening("--state-dir", state.toString());
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            assertThat(run(client, "true").exited().exitCode()).isZero();
            Path own = Path.of(state.toFile().list()[0]);
            for (Path lost : List.of(state.resolve(own), state)) {
                remove(lost);
                assertThat(run(client, "mkdir .git; touch file").exited().exitCode())
                        .isZero();
                Answer written = client.call(
                        "fs/writeFile",
                        "path",
                        workspace.resolve("other").toString(),
                        "dataBase64",
                        "",
                        "sandbox",
                        Json.value(Policies.workspaceWrite(workspace)));
                assertThat(written.failed()).as("%s", written.message()).isFalse();
            }
            assertThat(run(client, "ls " + state + "/* || echo x > " + state + "/new")
                            .exited()
                            .exitCode())
                    .as("what was made anew is hidden")
                    .isNotZero();
            assertThat(server.stderr()).doesNotContain("Exception");
        }
        assertThat(workspace.resolve(".git")).doesNotExist();
    }
}
