package dev.execserver.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClosedStreamsTest {
    @TempDir
    private Path process;

    private Path javaHome;

    @BeforeEach
    void openStreams() throws IOException {
        javaHome = Files.createDirectories(process.resolve("jdk"));
        Files.createDirectories(process.resolve("fd"));
        Files.createDirectories(process.resolve("fdinfo"));
        for (int fd = 0; fd < 3; fd++) {
            point(fd, "pipe:[" + fd + "]", "0100001");
        }
    }

    @Test
    void threeOpenStreamsAreFine() {
        assertThat(ClosedStreams.complaint(process, javaHome)).isEmpty();
        assertThat(ClosedStreams.complaint()).isEmpty();
    }

    @Test
    void aFileOfTheJvmInThePlaceOfTheInputIsSaid() throws IOException {
        point(0, javaHome.resolve("lib/modules").toString(), "0100000");

        assertThat(ClosedStreams.complaint(process, javaHome))
                .contains("standard input is closed; give the program one, for example </dev/null");
    }

    @Test
    void whatWasOpenedAfterTheStartIsSaid() throws IOException {
        point(1, "/opt/exec-server/exec-server.jar", "02100000");

        assertThat(ClosedStreams.complaint(process, javaHome))
                .contains("standard output is closed; give the program one, for example 1>/dev/null");
    }

    @Test
    void aNumberThatIsStillFreeIsSaid() throws IOException {
        Files.delete(process.resolve("fd/2"));

        assertThat(ClosedStreams.complaint(process, javaHome))
                .hasValueSatisfying(text -> assertThat(text).startsWith("standard error is closed"));
    }

    @Test
    void withoutProcNobodyCanTell() {
        assertThat(ClosedStreams.complaint(process.resolve("none"), javaHome)).isEmpty();
    }

    private void point(int fd, String target, String flags) throws IOException {
        Files.deleteIfExists(process.resolve("fd/" + fd));
        Files.createSymbolicLink(process.resolve("fd/" + fd), Path.of(target));
        Files.writeString(process.resolve("fdinfo/" + fd), "pos:\t0\nflags:\t" + flags + "\nmnt_id:\t1\n");
    }
}
