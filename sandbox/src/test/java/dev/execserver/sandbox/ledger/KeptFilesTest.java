package dev.execserver.sandbox.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptFilesTest {
    private final KeptFiles kept = KeptFiles.create();
    private final List<Fd> open = new ArrayList<>();
    private int made;

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        kept.close();
        open.forEach(Fd::close);
    }

    @Test
    void aLockOutlivesTheDescriptorsOfTheServerAndEndsWithTheSocket() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Fd fd = open(file);
        kept.keep(locked(fd));
        fd.close(); // as the kernel does when the server is killed
        assertThat(free(file)).isFalse();
        kept.close();
        assertThat(free(file)).isTrue();
    }

    @Test
    void unlockingTheServersOwnDescriptorUnlocksTheCopy() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        try (Fd fd = open(file);
                KeptFiles.Kept _ = kept.keep(locked(fd))) {
            EntryCalls.unlock(fd);
            assertThat(free(file)).isTrue();
        }
    }

    @Test
    void whatIsStillNeededStaysHoweverManyComeAndGo() throws IOException {
        List<Path> needed = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            needed.add(lockedAndKept());
            comeAndGo(KeptFiles.MAX_MESSAGES);
        }
        assertThat(needed).noneMatch(this::free);
        assertThat(kept.messages()).isLessThanOrEqualTo(KeptFiles.MAX_MESSAGES);
    }

    @Test
    void nothingLiesThereWhenNothingIsNeededAnyMore() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        try (Fd fd = open(file)) {
            kept.keep(locked(fd)).close();
        }
        assertThat(free(file)).isTrue();
        assertThat(kept.messages()).isZero();
    }

    @Test
    void whatIsNotNeededAnyMoreIsDroppedBesideWhatIs() throws IOException {
        Path needed = lockedAndKept();
        Path file = Files.createFile(folder.resolve("file"));
        try (Fd fd = open(file)) {
            kept.keep(locked(fd)).close();
        }
        comeAndGo(KeptFiles.MAX_MESSAGES + 1);
        assertThat(free(file)).isTrue();
        assertThat(free(needed)).isFalse();
    }

    @Test
    void moreThanOneMessageHoldsAreKept() throws IOException {
        List<Path> needed = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            needed.add(lockedAndKept());
        }
        comeAndGo(3 * KeptFiles.MAX_MESSAGES);
        assertThat(needed).noneMatch(this::free);
    }

    private void comeAndGo(int times) throws IOException {
        Path file = folder.resolve("other");
        Files.deleteIfExists(file);
        Files.createFile(file);
        for (int i = 0; i < times; i++) {
            try (Fd fd = open(file)) {
                kept.keep(fd).close();
            }
        }
    }

    private Path lockedAndKept() throws IOException {
        Path file = Files.createFile(folder.resolve("needed-" + made++));
        Fd fd = open(file);
        open.add(fd);
        kept.keep(locked(fd));
        return file;
    }

    private static Fd locked(Fd fd) {
        assertThat(EntryCalls.tryLockShared(fd)).isTrue();
        return fd;
    }

    private boolean free(Path file) {
        try (Fd fd = open(file)) {
            return EntryCalls.tryLockExclusive(fd);
        }
    }

    private static Fd open(Path file) {
        return FileCalls.open(file.toString().getBytes(StandardCharsets.UTF_8), FileCalls.O_RDONLY, 0);
    }
}
