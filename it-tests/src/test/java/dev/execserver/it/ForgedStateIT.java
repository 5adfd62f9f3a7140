package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a server of root. */
class ForgedStateIT extends ForgedState {
    private static final String OTHER = "65533";

    @Override
    List<String> prefix() {
        return List.of();
    }

    @Override
    int user() {
        return 0;
    }

    @Test
    void c51_whatAnotherUserHasPreparedDoesNothingToRoot(@TempDir Path base) throws Exception {
        Path bashrc = Files.writeString(base.resolve(".bashrc"), "root's");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path forged = Path.of("/tmp/exec-server-777" + ProcessHandle.current().pid());
        String script = "mkdir %1$s; ln -s /etc/hostname %1$s/placeholders; echo '%2$s /tmp/evil' >%1$s/links-1"
                .formatted(forged, bashrc);
        asOther(script);
        try (ServerProcess server = ServerProcess.listening()) {
            assertThat(server.alive()).isTrue();
            assertThat(bashrc).isRegularFile().hasContent("root's");
            assertThat(forged.resolve("links-1")).exists();
        } finally {
            asOther("rm -r " + forged);
        }
    }

    @Test
    void c51_aFolderOfAnotherUserIsNeverTheStateOfThisOne(@TempDir Path base) throws Exception {
        Path taken = Files.createDirectory(base.resolve("taken"));
        Files.setAttribute(taken, "unix:uid", Integer.parseInt(OTHER));
        try (ServerProcess server =
                ServerProcess.launched("--listen", "ws://127.0.0.1:0", "--state-dir", taken.toString())) {
            assertThat(server.exitStatus()).isEqualTo(1);
            assertThat(server.stderr()).contains("--state-dir " + taken + ": belongs to user " + OTHER);
        }
    }

    private static void asOther(String script) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "setpriv", "--reuid=" + OTHER, "--regid=" + OTHER, "--clear-groups", "sh", "-c", script)
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }
}
