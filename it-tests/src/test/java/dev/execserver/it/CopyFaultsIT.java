package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec-server cp} whose server dies in the middle, and what it shows on a terminal. Both sides are this machine. */
@Timeout(180)
class CopyFaultsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** A client looks for a server that is gone for 45 s. */
    private static final long GIVES_UP_SECONDS = 100;

    private static final String PART = ".exec-server-cp-";
    private static final int NO_CONNECTION = 255;

    @TempDir
    private Path directory;

    private Path here;
    private Path there;

    @BeforeEach
    void makeBothSides() throws IOException {
        here = Files.createDirectory(directory.resolve("here"));
        there = Files.createDirectory(directory.resolve("there"));
    }

    @Test
    void aServerThatIsKilledInTheMiddleLeavesNoHalfFile() throws Exception {
        Files.writeString(there.resolve("up"), "as it was");
        try (ServerProcess server = ServerProcess.listening()) {
            Path big = Files.createFile(there.resolve("big"));
            try (var file = new RandomAccessFile(big.toFile(), "rw")) {
                file.setLength(4L << 30);
            }
            Program.Running up = start(server, "-", ":" + there + "/up");
            up.type("x".repeat(3 << 20));
            Program.Running down = start(server, ":" + big, here + "/down");
            await().atMost(LIMIT).until(() -> parts(there) == 1 && parts(here) == 1);

            server.killHard();

            up.endInput();
            assertThat(up.process().waitFor(GIVES_UP_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(down.process().waitFor(GIVES_UP_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            for (Program.Running copy : List.of(up, down)) {
                assertThat(copy.end().status()).isEqualTo(NO_CONNECTION);
                assertThat(copy.err()).startsWith("Error: ").contains("connect");
            }
        }
        assertThat(there.resolve("up")).hasContent("as it was");
        assertThat(here).isEmptyDirectory();
    }

    @Test
    void progressIsALineOnATerminalThatIsWrittenOver() throws Exception {
        String half = "head -c 2097152 /dev/zero";
        try (ServerProcess server = ServerProcess.listening();
                ExecServerClient client = ExecServerClient.connect(
                        ClientOptions.url(server.url().toString()).build())) {
            String copy =
                    ServerCommand.of(List.of("cp", "--url", server.url().toString(), "-", ":" + there + "/f")).stream()
                            .map(word -> "'" + word + "'")
                            .collect(Collectors.joining(" "));
            RemoteProcess terminal = client.start(
                    ProcessSpec.of("sh", "-c", "(" + half + "; sleep 1; " + half + ") | " + copy + "; echo status $?")
                            .cwd(directory.toString())
                            .tty(100, 30));

            String screen = new String(terminal.stdout().readAllBytes(), UTF_8);

            assertThat(screen).contains("\r-  ").contains(" MiB  ").contains("MiB/s\u001b[K");
            assertThat(screen).containsPattern("\r\u001b\\[K1 file, 4.0 MiB in [0-9.]+ s, [0-9.]+ [KM]iB/s\r\n");
            assertThat(screen).endsWith("status 0\r\n");
        }
        assertThat(Files.size(there.resolve("f"))).isEqualTo(4 << 20);
    }

    private static long parts(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith(PART))
                    .count();
        }
    }

    private Program.Running start(ServerProcess server, String source, String target) {
        return Program.start(directory, "cp", "--url", server.url().toString(), source, target);
    }
}
