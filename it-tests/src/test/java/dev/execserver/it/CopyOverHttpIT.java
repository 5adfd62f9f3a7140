package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec-server cp} with a server that has files over HTTP, under a name that it serves them by and under another one. */
@Timeout(120)
class CopyOverHttpIT {
    private static final int BIG = 20 << 20;

    @TempDir
    private static Path shared;

    private static Path token;
    private static ServerProcess server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws IOException {
        token = Files.writeString(shared.resolve("token"), "secret");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        server = ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aBigFileGoesOverHttpWithItsMode() throws IOException {
        goesBothWays("127.0.0.1");
    }

    @Test
    void whereHttpIsRefusedItGoesOverTheWebSocket() throws IOException {
        goesBothWays("localhost");
    }

    private void goesBothWays(String host) throws IOException {
        byte[] content = new byte[BIG];
        new Random(9).nextBytes(content);
        Path source = Files.write(directory.resolve("source"), content);
        Path unused = Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rwx-w---x"));

        assertThat(cp(host, source.toString(), ":" + directory + "/there")).isEqualTo(new Program(0, "", ""));
        assertThat(cp(host, ":" + directory + "/there", directory + "/back")).isEqualTo(new Program(0, "", ""));

        for (String copy : new String[] {"there", "back"}) {
            assertThat(Arrays.equals(Files.readAllBytes(directory.resolve(copy)), content))
                    .isTrue();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(copy))))
                    .isEqualTo("rwx-w---x");
        }
        assertThat(Program.run(directory, "", "cp", "--url", "ws://127.0.0.1:" + server.port(), ":/etc/passwd", "-")
                        .status())
                .isEqualTo(255);
    }

    private Program cp(String host, String from, String to) {
        return Program.run(
                directory,
                "",
                "cp",
                "--url",
                "ws://" + host + ":" + server.port(),
                "--token-file",
                token.toString(),
                from,
                to);
    }
}
