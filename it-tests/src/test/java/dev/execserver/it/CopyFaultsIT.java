package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
            Path big = sparse(there.resolve("big"), 4L << 30);
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
            assertThat(up.err())
                    .containsPattern(":\\Q" + there + "\\E/" + PART + "\\S+: it may be left, not complete\n");
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

    @Test
    void aFullDiskFailsTheCopyAndLeavesTheOldFile() throws Exception {
        Path small = Files.createDirectory(there.resolve("small"));
        run("mount", "-t", "tmpfs", "-o", "size=4m", "none", small.toString());
        try (ServerProcess server = ServerProcess.listening()) {
            Files.writeString(small.resolve("f"), "as it was");
            Path source = sparse(here.resolve("big"), 64 << 20);
            Program known = start(server, source.toString(), ":" + small + "/f").end();
            Program.Running typed = start(server, "-", ":" + small + "/f");
            typed.type("x".repeat(6 << 20));
            typed.endInput();
            for (Program full : List.of(known, typed.end())) {
                assertThat(full.status()).isEqualTo(1);
                assertThat(full.err())
                        .contains("No space left on device (os error 28)")
                        .hasLineCount(1);
            }
            assertThat(small.toFile().list()).containsExactly("f");
            assertThat(small.resolve("f")).hasContent("as it was");
        } finally {
            run("umount", small.toString());
        }
    }

    @Test
    void aLongFileThatItsOwnerMayNotWriteGoesToAServerOfAnOrdinaryUser() throws Exception {
        for (Path path : List.of(directory, there)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        Path source = sparse(here.resolve("big"), 5 << 20);
        Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("r--r-----"));
        List<String> nobody = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
        try (DistributionCopy copy = DistributionCopy.create("cp-");
                ServerProcess server =
                        copy.start(() -> ServerProcess.listening(nobody, Map.of(), "--spill-dir", "/tmp"))) {
            for (String name : List.of("-", source.toString())) {
                Program.Running running = start(server, name, ":" + there + "/big");
                running.type("x".repeat(name.equals("-") ? 3 << 20 : 0));
                running.endInput();
                assertThat(running.end()).isEqualTo(new Program(0, "", ""));
            }
        }
        assertThat(Files.size(there.resolve("big"))).isEqualTo(5 << 20);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there.resolve("big"))))
                .isEqualTo("r--r-----");
    }

    private static Path sparse(Path path, long size) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(size);
        }
        return path;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
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
