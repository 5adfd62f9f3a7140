package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Event;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.UnreliableLink;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec-server cp} when the server, the connection or the disk fails in the middle, and what a terminal shows of it. */
@Timeout(300)
class CopyFaultsIT {
    @RegisterExtension
    static final SharedServer TERMINALS = SharedServer.with();

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String PART = ".exec-server-cp-";
    private static final long GIB = 1L << 30;

    @TempDir
    private Path directory;

    private Path here;
    private Path there;

    @BeforeEach
    void makeBothSides() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        here = Files.createDirectory(directory.resolve("here"));
        there = Files.createDirectory(directory.resolve("there"));
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void anUploadWhoseServerIsKilledLeavesTheOldFileAndNamesWhatMayBeLeft() throws Exception {
        Files.writeString(there.resolve("f"), "as it was");
        String errors;
        try (ServerProcess server = ServerProcess.listening()) {
            Program.Running up = cp(server.port(), "-", ":" + there + "/f");
            up.type("x".repeat(3 << 20));
            await().atMost(LIMIT).until(() -> names(there).size() == 2);

            server.killHard();
            // A new one knows nothing of the session, which is final; without one it would be tried for 45 seconds.
            try (ServerProcess _ = ServerProcess.launched("--listen", "ws://127.0.0.1:" + server.port())) {
                up.endInput();
                errors = assertLost(up);
            }
        }
        String part = names(there).stream()
                .filter(name -> name.startsWith(PART))
                .findFirst()
                .orElseThrow();
        assertThat(errors).contains(":" + there + "/" + part + ": it may be left, not complete");
        assertThat(there.resolve("f")).hasContent("as it was");
    }

    @Test
    void aDownloadWhoseServerIsKilledLeavesTheOldFileAndNothingElse() throws Exception {
        Files.writeString(here.resolve("f"), "as it was");
        Path source = sparse(there.resolve("big"), 8 * GIB);
        try (ServerProcess server = ServerProcess.listening()) {
            Program.Running down = cp(server.port(), ":" + source, here + "/f");
            await().atMost(LIMIT).until(() -> names(here).size() == 2);

            server.killHard();
            try (ServerProcess _ = ServerProcess.launched("--listen", "ws://127.0.0.1:" + server.port())) {
                String unused = assertLost(down);
            }
        }
        assertThat(names(here)).containsExactly("f");
        assertThat(here.resolve("f")).hasContent("as it was");
    }

    @Test
    void aConnectionThatIsCutForGoodEndsCopiesInBothDirections() throws Exception {
        Path source = sparse(there.resolve("big"), 8 * GIB);
        try (ServerProcess server = ServerProcess.listening();
                UnreliableLink link = UnreliableLink.to(server.port())) {
            Program.Running up = cp(link.port(), "-", ":" + there + "/f");
            up.type("x".repeat(3 << 20));
            Program.Running down = cp(link.port(), ":" + source, here + "/f");
            await().atMost(LIMIT)
                    .until(() -> names(there).size() == 2 && names(here).size() == 1);

            link.close();

            up.endInput();
            String unused = assertLost(up) + assertLost(down);
        }
        assertThat(names(here)).isEmpty();
        assertThat(there.resolve("f")).doesNotExist();
    }

    private static String assertLost(Program.Running running) throws InterruptedException {
        assertThat(running.process().waitFor(LIMIT.toSeconds(), SECONDS)).isTrue();
        Program program = running.end();
        assertThat(program.status()).isEqualTo(255);
        assertThat(program.out()).isEmpty();
        assertThat(program.err()).startsWith("Error: ").doesNotContain("Exception", "\tat ");
        return program.err();
    }

    @Test
    void aFullDiskFailsTheCopyAndLeavesTheOldFile() throws Exception {
        Path small = Files.createDirectory(there.resolve("small"));
        run("mount", "-t", "tmpfs", "-o", "size=4m", "none", small.toString());
        try {
            Files.writeString(small.resolve("f"), "as it was");
            Path source = sparse(here.resolve("big"), 64 << 20);
            Program over = cp(TERMINALS.port(), source.toString(), ":" + small + "/f").end();
            Program.Running typed = cp(TERMINALS.port(), "-", ":" + small + "/f");
            typed.type("x".repeat(32 << 20));
            typed.endInput();
            for (Program full : List.of(over, typed.end())) {
                assertThat(full.status()).isEqualTo(1);
                assertThat(full.err()).contains("No space left on device (os error 28)").hasLineCount(1);
            }
            assertThat(names(small)).containsExactly("f");
            assertThat(small.resolve("f")).hasContent("as it was");
        } finally {
            run("umount", small.toString());
        }
    }

    @Test
    void aLongFileThatItsOwnerMayNotWriteGoesToAServerOfAnOrdinaryUser() throws Exception {
        Path source = sparse(here.resolve("big"), 5 << 20);
        Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("r--r-----"));
        List<String> nobody = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
        try (DistributionCopy copy = DistributionCopy.create("cp-");
                ServerProcess server = copy.start(() -> ServerProcess.listening(nobody, Map.of(), "--spill-dir", "/tmp"))) {
            Program.Running piped = cp(server.port(), source.toString(), ":" + there + "/big");
            assertThat(piped.end()).isEqualTo(new Program(0, "", ""));
        }
        assertThat(Files.size(there.resolve("big"))).isEqualTo(5 << 20);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there.resolve("big"))))
                .isEqualTo("r--r-----");
    }

    @Test
    void theProgressIsOneLineOfTheTerminalAndItsLastWordTheSum() throws Exception {
        Path source = sparse(there.resolve("name\twith a control character"), 2 * GIB);
        String screen = onTerminal("cp", ":" + source, "-");

        String[] drawn = screen.split("\r(?!\n)");
        assertThat(drawn.length).isGreaterThan(2);
        assertThat(drawn[1]).matches("(?s).*name\\?with a control character  +\\d+% of 2\\.0 GiB  [0-9.]+ [MG]iB/s\u001b\\[K");
        for (String line : drawn) {
            assertThat(line.replaceAll("\u001b\\[K|\r?\n", "").length()).isLessThan(80);
        }
        assertThat(drawn[drawn.length - 1]).matches("(?s)\u001b\\[K1 file, 2\\.0 GiB in [0-9.]+ s, [0-9.]+ [MG]iB/s\r\n");
        assertThat(onTerminal("cp", "--quiet", ":" + source, "-")).isEmpty();
    }

    /** What the program shows on a terminal of 80 columns; its output goes nowhere. */
    private String onTerminal(String verb, String... arguments) {
        List<String> line = Stream.concat(
                        Stream.of(verb, "--url", "ws://127.0.0.1:" + TERMINALS.port()), Stream.of(arguments))
                .toList();
        String command = ServerCommand.of(line).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        try (WireClient client = WireClient.connect(TERMINALS.port())) {
            client.handshake();
            RemoteProcess shell = client.start(
                    Start.shell("stty cols 80; " + command + " >/dev/null").tty());
            Event unused = shell.closed(LIMIT);
            return shell.text();
        }
    }

    private Program.Running cp(int port, String source, String target) {
        return Program.start(directory, "cp", "--url", "ws://127.0.0.1:" + port, source, target);
    }

    private static Path sparse(Path path, long size) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(size);
        }
        return path;
    }

    private static List<String> names(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
