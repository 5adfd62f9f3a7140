package dev.execserver.sandbox.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.JavaPrograms;
import dev.execserver.sandbox.spawn.ProcessFixture;
import dev.execserver.sandbox.spawn.Stdio;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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
    private Ledger ledger;

    @TempDir
    private Path directory;

    @BeforeEach
    void open() {
        fixture = new ProcessFixture();
        ledger = Ledger.create();
    }

    @AfterEach
    void close() {
        fixture.close();
        ledger.close();
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
    void itHoldsOnlyThePipeTheLedgerAndTheLocksAndIsHardToDisturb() throws IOException {
        try (Guardian guardian = Guardian.start(fixture.spawner, fixture.marks, ledger)) {
            Path process = Path.of("/proc", String.valueOf(guardian.pid()));
            await().until(() -> Files.readString(process.resolve("status")).contains("SigIgn:\t0000000000004003"));

            try (Stream<Path> entries = Files.list(process.resolve("fd"))) {
                assertThat(entries.map(path -> path.getFileName().toString()))
                        .containsExactlyInAnyOrder("0", "1", "2", "3", "4");
            }
            assertThat(ProcFiles.realtimeLimit(guardian.pid())).isZero();
            assertThat(ProcFiles.stat(guardian.pid()).orElseThrow().session()).isEqualTo(guardian.pid());
        }
    }

    @Test
    void anOrderlyEndKillsAndRemovesNothing() throws IOException {
        Path kept = Files.writeString(directory.resolve("kept"), "x");
        Child child = fixture.start(new Stdio.Pipes(false), "/bin/sleep", "4900");
        byte[] path = kept.toString().getBytes(StandardCharsets.UTF_8);
        Ledger.Entry _ = ledger.add(Ledger.Kind.FOLDER, path, FileCalls.status(path, false));
        Guardian guardian = Guardian.start(fixture.spawner, fixture.marks, ledger);
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
        try (Guardian guardian = Guardian.start(fixture.spawner, fixture.marks, ledger)) {
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
