package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The state folder of another server, which is hidden from commands, is removed between the look at it and the mount. */
@Timeout(120)
class VanishedStateIT {
    private static final String BUBBLEWRAP = """
            #!/bin/sh
            case "$1" in --args) [ ! -e '%1$s/armed' ] || { rm -rf '%1$s/armed' '%1$s/other'; } ;; esac
            exec bwrap "$@"
            """;

    @TempDir(factory = VarTmp.class)
    private Path state;

    private final SandboxScene scene = new SandboxScene();
    private ServerProcess server;
    private ServerProcess other;
    private WireClient client;

    @BeforeEach
    void start() throws IOException {
        Path program = Files.writeString(scene.base().resolve("bwrap"), BUBBLEWRAP.formatted(scene.base()));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        server = ServerProcess.listening(
                "--state-dir", state.toString(), "--bwrap", program.toString(), "--helper", "oneshot");
        client = WireClient.connect(server.port());
        client.handshake();
        client.call("sandbox/status").result(); // the examination of the machine is over
        other = ServerProcess.listening(
                "--state-dir", scene.base().resolve("other").toString());
        Files.createFile(scene.base().resolve("armed"));
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        other.close();
        scene.close();
    }

    @Test
    void aCommandStarts() {
        RemoteProcess process = client.start(scene.shell("echo fine"));
        process.closed();
        assertThat(process.text()).isEqualTo("fine\n");
        assertThat(scene.base().resolve("other")).doesNotExist();
    }

    @Test
    void aFileCallIsDone() {
        Path file = scene.workspace().resolve("f");
        Answer answer =
                client.call("fs/writeFile", "path", file.toString(), "dataBase64", "", "sandbox", scene.sandbox());
        assertThat(answer.failed()).as(() -> answer.errorMessage()).isFalse();
        assertThat(scene.base().resolve("other")).doesNotExist();
        assertThat(file).exists();
    }
}
