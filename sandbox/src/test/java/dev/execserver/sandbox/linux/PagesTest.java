package dev.execserver.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PagesTest {
    private static final int HUGE = 2 * 1024 * 1024;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, HUGE - 1, HUGE, HUGE + 1, 3 * HUGE + 4097})
    void holdWhatTheFileHas(int length) throws IOException {
        byte[] content = random(length);
        try (Fd file = file(content);
                Pages pages = Pages.map(length)) {
            assertThat(pages.fill(file)).isEqualTo(length);

            byte[] copy = new byte[length];
            pages.get(0, copy, 0, length);
            assertThat(copy).isEqualTo(content);
            pages.get(length - 1, copy, 0, 1);
            assertThat(copy[0]).isEqualTo(content[length - 1]);
        }
    }

    @Test
    void aFileThatIsShorterFillsWhatItCan() throws IOException {
        byte[] content = random(10_000);
        try (Fd file = file(content);
                Pages pages = Pages.map(20_000)) {
            assertThat(pages.fill(file)).isEqualTo(10_000);
            byte[] copy = new byte[10_000];
            pages.get(0, copy, 0, copy.length);
            assertThat(copy).isEqualTo(content);
        }
    }

    @Test
    void aLongerFileIsCut() throws IOException {
        byte[] content = random(10_000);
        try (Fd file = file(content);
                Pages pages = Pages.map(5000)) {
            assertThat(pages.fill(file)).isEqualTo(5000);
            byte[] copy = new byte[5000];
            pages.get(0, copy, 0, copy.length);
            assertThat(copy).isEqualTo(Arrays.copyOf(content, 5000));
        }
    }

    @Test
    void nothingIsReadBehindTheEndOrAfterTheClose() {
        Pages pages = Pages.map(5000);
        assertThatThrownBy(() -> pages.get(4999, new byte[2], 0, 2)).isInstanceOf(IndexOutOfBoundsException.class);

        pages.close();
        pages.close();

        assertThatThrownBy(() -> pages.get(0, new byte[1], 0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void theMemoryIsGoneAfterTheClose() throws IOException {
        long before = mappedKib();
        for (int i = 0; i < 100; i++) {
            Pages.map(64 * HUGE).close();
        }
        assertThat(mappedKib() - before).isLessThan(10L * 64 * HUGE / 1024);
    }

    @Test
    void aDirectoryCannotBeReadAndTheErrorSaysSo() {
        try (Fd fd = FileCalls.open(directory.toString().getBytes(), FileCalls.O_RDONLY, 0);
                Pages pages = Pages.map(10)) {
            assertThatThrownBy(() -> pages.fill(fd))
                    .isInstanceOfSatisfying(
                            LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EISDIR));
        }
    }

    private static long mappedKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmSize:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    private Fd file(byte[] content) throws IOException {
        Path path = Files.write(directory.resolve("f"), content);
        return FileCalls.open(path.toString().getBytes(), FileCalls.O_RDONLY, 0);
    }

    private static byte[] random(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return content;
    }
}
