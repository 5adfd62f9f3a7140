package dev.execserver.sandbox.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GuardianTest {
    private static final long COUNTER_RANGE = 1_000_000_000L;

    private ProcessFixture fixture;

    @TempDir
    private Path directory;

    @BeforeEach
    void open() {
        fixture = new ProcessFixture();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void whenTheServerIsKilledNothingOfItIsLeft() throws IOException {
        Path odd = Files.createDirectories(directory.resolve("it's \"odd\" $(x); *\n"))
                .resolve("below");
        Files.writeString(odd, "x");
        Path kept = Files.writeString(directory.resolve("kept"), "x");
        Child server = JavaPrograms.start(
                fixture,
                JavaPrograms.command(
                        List.of(), DoomedServer.class, odd.getParent().toString()));
        String[] words = ProcessFixture.readUntil(server.stdout(), "ready").split(" ", -1);
        long prefix = Long.parseLong(words[1]);
        int guardian = Integer.parseInt(words[3]);
        await().atMost(Duration.ofSeconds(20)).until(() -> marked(prefix) >= 40);

        server.signal(ProcessCalls.SIGKILL);

        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> marked(prefix) == 0);
        await().atMost(Duration.ofSeconds(20)).until(() -> !alive(guardian));
        assertThat(odd.getParent()).doesNotExist();
        assertThat(kept).exists();
        server.awaitExit();
        server.closeStreams();
    }

    @Test
    void whatItsServerHasPutElsewhereIsTakenBackAlsoWhatWasOnlyJustMade() throws IOException {
        Path runtime = Files.createDirectory(directory.resolve("exec-server-1"));
        Path workspace = Files.createDirectory(directory.resolve("a b"));
        Path made = placeholder(workspace.resolve(".git"));
        Path justMade = placeholder(workspace.resolve(".codex"));
        Path file = Files.createFile(workspace.resolve("m"), permissions("r--r--r--"));
        Path writable = Files.createDirectory(workspace.resolve(".agents"));
        Path filled = Files.createDirectory(workspace.resolve("filled"));
        Files.createFile(filled.resolve("HEAD"));
        Files.setPosixFilePermissions(filled, PosixFilePermissions.fromString("r-xr-xr-x"));
        Path withdrawn = placeholder(workspace.resolve(".aws"));
        List<String> lines = new ArrayList<>();
        for (Path path : List.of(made, justMade, file, writable, filled, withdrawn)) {
            lines.add("I 0 " + escaped(path));
        }
        lines.add("C " + Files.getAttribute(made, "unix:ino") + " " + escaped(made));
        lines.add("D 0 " + escaped(withdrawn));
        lines.add("C 1 " + escaped(writable));
        Files.write(runtime.resolve("placeholders"), lines);
        Child server =
                JavaPrograms.start(fixture, JavaPrograms.command(List.of(), DoomedServer.class, runtime.toString()));
        ProcessFixture.readUntil(server.stdout(), "ready");

        server.signal(ProcessCalls.SIGKILL);

        await().atMost(Duration.ofSeconds(20)).until(() -> Files.notExists(runtime));
        assertThat(workspace)
                .isDirectoryNotContaining(path -> List.of(made, justMade, file).contains(path));
        assertThat(List.of(writable, filled.resolve("HEAD"), withdrawn)).allMatch(Files::exists);
        server.awaitExit();
        server.closeStreams();
    }

    private static Path placeholder(Path path) throws IOException {
        return Files.createDirectory(path, permissions("r-xr-xr-x"));
    }

    private static FileAttribute<Set<PosixFilePermission>> permissions(String bits) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(bits));
    }

    private static String escaped(Path path) {
        return path.toString().replace(" ", "\\0040");
    }

    @Test
    void itHoldsOnlyThePipeAndIsHardToDisturb() throws IOException {
        try (Guardian guardian = Guardian.start(fixture.spawner, fixture.marks, List.of())) {
            Path process = Path.of("/proc", String.valueOf(guardian.pid()));
            await().until(() -> Files.readString(process.resolve("status")).contains("SigIgn:\t0000000000004003"));

            try (Stream<Path> entries = Files.list(process.resolve("fd"))) {
                assertThat(entries.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("0", "1", "2");
            }
            assertThat(ProcFiles.realtimeLimit(guardian.pid())).isZero();
            assertThat(ProcFiles.stat(guardian.pid()).orElseThrow().session()).isEqualTo(guardian.pid());
        }
    }

    @Test
    void anOrderlyEndKillsAndRemovesNothing() throws IOException {
        Path kept = Files.writeString(directory.resolve("kept"), "x");
        Child child = fixture.start(new Stdio.Pipes(false), "/bin/sleep", "4900");
        Guardian guardian = Guardian.start(
                fixture.spawner, fixture.marks, List.of(kept.toString().getBytes(StandardCharsets.UTF_8)));
        int pid = guardian.pid();

        guardian.close();

        assertThat(alive(pid)).isFalse();
        assertThat(guardian.watching()).isFalse();
        assertThat(kept).exists();
        assertThat(child.exited()).isFalse();
        child.signal(ProcessCalls.SIGKILL);
        child.awaitExit();
        child.closeStreams();
    }

    @Test
    void aGuardianThatDiesIsReplaced() {
        try (Guardian guardian = Guardian.start(fixture.spawner, fixture.marks, List.of())) {
            int first = guardian.pid();
            ProcessCalls.kill(first, ProcessCalls.SIGKILL);

            await().atMost(Duration.ofSeconds(20)).until(() -> guardian.pid() != first && guardian.watching());
        }
    }

    private static long marked(long prefix) {
        try (Arena arena = Arena.ofConfined()) {
            return Arrays.stream(ProcFiles.pids(arena.allocate(64 * 1024, 8)))
                    .filter(pid -> ProcFiles.realtimeLimit(pid) / COUNTER_RANGE == prefix && alive(pid))
                    .count();
        }
    }

    private static boolean alive(int pid) {
        return ProcFiles.stat(pid).filter(stat -> !stat.dead()).isPresent();
    }
}
