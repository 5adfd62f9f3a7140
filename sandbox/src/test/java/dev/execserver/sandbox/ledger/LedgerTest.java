package dev.execserver.sandbox.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
    private final Ledger ledger = Ledger.create();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        ledger.close();
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String stat(Path path) throws IOException, InterruptedException {
        Process stat = new ProcessBuilder("stat", "-c", "%d:%i", path.toString()).start();
        return new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    @Test
    void identitiesAreThoseOfStat() throws IOException, InterruptedException {
        for (Path path : List.of(directory, Path.of("/proc/self/limits"), Path.of("/"), Path.of("/dev/null"))) {
            FileStatus status = FileCalls.status(bytes(path), true);
            assertThat(Ledger.identity(status).split(":")[0])
                    .isEqualTo(stat(path).split(":")[0]);
        }
        assertThat(Ledger.identity(FileCalls.status(bytes(directory), true))).isEqualTo(stat(directory));
    }

    @Test
    void anEntryNamesItsParentItsObjectAndIsGoneWhenItIsClosed() throws IOException, InterruptedException {
        Path odd = Files.createDirectory(directory.resolve("a b\n\\0ö"));
        Ledger.Entry entry = ledger.intend(Ledger.Kind.PLACEHOLDER, bytes(odd.resolve(".git")))
                .orElseThrow();
        assertThat(ledger.lines().getFirst().split(" +"))
                .startsWith("+P", "-", stat(odd))
                .endsWith(Escapes.escape(bytes(odd)), ".git")
                .hasSize(5);
        Path git = Files.createDirectory(odd.resolve(".git"));
        entry.identify(FileCalls.status(bytes(git), false));
        assertThat(ledger.lines().getFirst().split(" +")).startsWith("+P", stat(git), stat(odd));
        entry.close();
        entry.close();
        assertThat(ledger.lines()).isEmpty();
    }

    @Test
    void whereNothingCanBeMadeThereIsNoEntry() {
        assertThat(ledger.intend(Ledger.Kind.PLACEHOLDER, bytes(directory.resolve("gone/.git"))))
                .isEmpty();
    }

    @Test
    void slotsAreUsedAgainWhateverTheLengthOfTheLine() {
        List<Ledger.Entry> entries = new ArrayList<>();
        for (int round = 0; round < 100; round++) {
            for (int length : new int[] {1, 300, 700, 3000, 9000}) {
                entries.add(ledger.addLink(bytes(directory.resolve("link")), new byte[length]));
            }
            assertThat(ledger.lines()).hasSize(5).allMatch(line -> line.startsWith("+L - "));
            entries.forEach(Ledger.Entry::close);
            entries.clear();
        }
        assertThat(FileCalls.status(ledger.reading()).size()).isLessThan(200_000);
    }

    @Test
    void pathsAreWordsThatPrintfReads() throws IOException, InterruptedException {
        byte[] path = "/a b/\n\\0101/ö/-_.x".getBytes(StandardCharsets.UTF_8);
        String escaped = Escapes.escape(path);
        assertThat(escaped).matches("[\\\\0-9a-zA-Z/._-]+");
        Process printf = new ProcessBuilder("sh", "-c", "printf %b \"$0\"", escaped).start();
        assertThat(printf.getInputStream().readAllBytes()).isEqualTo(path);
    }
}
