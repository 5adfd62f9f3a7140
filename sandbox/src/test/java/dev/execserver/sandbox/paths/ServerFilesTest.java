package dev.execserver.sandbox.paths;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFilesTest {
    @TempDir
    private Path directory;

    private Path token;
    private Path state;
    private ServerFiles files;

    @BeforeEach
    void make() throws IOException {
        token = Files.writeString(directory.resolve("token"), "secret");
        state = Files.createDirectory(directory.resolve("state"));
        Files.writeString(state.resolve("journal"), "x");
        Files.writeString(directory.resolve("other"), "y");
        files = new ServerFiles(List.of(path(token), path(state), path(directory.resolve("missing"))));
    }

    @AfterEach
    void close() {
        files.close();
    }

    private static LinuxPath path(Path path) {
        return LinuxPath.of(path.toString());
    }

    private boolean shown(Path path) {
        try (Fd fd = FileCalls.open(path.toString().getBytes(), FileCalls.O_PATH, 0)) {
            return files.mayShow(fd);
        }
    }

    @Test
    void secretsAreKnownUnderEveryNameAndWhatLiesBelowThemToo() throws IOException {
        Path hardLink = Files.createLink(directory.resolve("hard"), token);
        Path link = Files.createSymbolicLink(directory.resolve("soft"), state);
        for (Path secret : List.of(token, state, state.resolve("journal"), hardLink, link, link.resolve("journal"))) {
            assertThat(shown(secret)).as("%s", secret).isFalse();
        }
        assertThat(shown(directory.resolve("other"))).isTrue();
        assertThat(shown(directory)).isTrue();
    }

    @Test
    void aSecretThatWasMovedIsStillOneAndSoIsWhatTakesItsPlace() throws IOException {
        Path moved = Files.move(state, directory.resolve("moved"));
        Path movedToken = Files.move(token, directory.resolve("old"));
        Files.writeString(token, "new secret");
        Files.writeString(directory.resolve("missing"), "made later");

        assertThat(shown(moved.resolve("journal"))).isFalse();
        assertThat(shown(movedToken)).isFalse();
        assertThat(shown(token)).isFalse();
        assertThat(shown(directory.resolve("missing"))).isFalse();
    }

    @Test
    void whatTheKernelAnswersIsNotShown() {
        for (String answer :
                List.of("/proc", "/proc/self/environ", "/proc/cpuinfo", "/proc/1", "/sys", "/sys/kernel")) {
            assertThat(shown(Path.of(answer))).as(answer).isFalse();
        }
        for (String file : List.of("/", "/etc/passwd", "/dev", "/dev/null", "/tmp")) {
            assertThat(shown(Path.of(file))).as(file).isTrue();
        }
    }
}
