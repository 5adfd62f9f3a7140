package dev.execserver.helper.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests plain {@code fs/writeFile} over an existing file. */
@Timeout(60)
class WriteFileTest {

    private static final int ONE = RegularFile.ONE_WRITE_BYTES;
    private static final int BLOCK = 4096;

    @TempDir
    private Path directory;

    @Test
    void aSmallFileThatDoesNotShrinkIsNeverSeenEmpty() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x".repeat(1000));
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 3000; i++) {
                Requests.write(file, "y".repeat(1000));
            }
        });
        while (!writer.isDone()) {
            assertThat(Files.size(file)).isEqualTo(1000);
        }
        writer.join();
        assertThat(file).hasContent("y".repeat(1000));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1000, 1001, ONE - 1, ONE, ONE + 1, 3 * ONE})
    void whateverWasThereNothingOfItStays(int size) throws IOException {
        for (int before : new int[] {0, 1000, ONE, ONE + 1, 4 * ONE}) {
            Path file = Files.writeString(directory.resolve("file"), "x".repeat(before));
            Requests.write(file, "y".repeat(size));
            assertThat(file).hasContent("y".repeat(size));
        }
    }

    @Test
    void aFileThatGetsAModeIsEmptiedBeforeItGetsIt() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "secret".repeat(100));
        try (RegularFile open = RegularFile.replace(
                file.toString().getBytes(StandardCharsets.UTF_8), true, OptionalInt.of(0644), 1000)) {
            assertThat(Files.size(file)).isZero();
            assertThat(open.size()).isEqualTo(600);
        }
    }

    @Test
    void anEmptyFileThatIsWrittenEmptyIsModified() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
        Requests.write(file, "");
        assertThat(Files.getLastModifiedTime(file).toMillis()).isGreaterThan(1_000_000);
    }

    /** Makes a file with a hole and one block of data after it. Writing into the hole needs disk space. */
    private static Path almostEmpty(MountedTmpfs disk) throws IOException {
        Path file = disk.root().resolve("file");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.seek(10 * BLOCK);
            sparse.write('x');
        }
        return file;
    }

    @Test
    void aWriteThatBreaksOffLeavesTheBeginningOfTheNewContentAndNothingOfTheOld() throws IOException {
        try (MountedTmpfs disk = MountedTmpfs.at(directory.resolve("small"), "size=64k")) {
            Path file = almostEmpty(disk);
            Files.write(disk.root().resolve("filler"), new byte[13 * BLOCK]);
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(() -> Requests.write(file, "y".repeat(ONE)))
                    .withMessage("No space left on device (os error 28)")
                    .satisfies(
                            e -> assertThat(e.data().orElseThrow().toString()).contains("written", "8192"));
            assertThat(file).hasContent("y".repeat(2 * BLOCK));
        }
    }

    @Test
    void aWriteThatBreaksOffBeforeItsFirstByteLeavesTheOldFileWhole() throws IOException {
        try (MountedTmpfs disk = MountedTmpfs.at(directory.resolve("small"), "size=64k")) {
            Path file = almostEmpty(disk);
            Files.write(disk.root().resolve("filler"), new byte[15 * BLOCK]);
            byte[] old = Files.readAllBytes(file);
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(() -> Requests.write(file, "y".repeat(ONE)))
                    .satisfies(
                            e -> assertThat(e.data().orElseThrow().toString()).doesNotContain("written"));
            assertThat(Files.readAllBytes(file)).isEqualTo(old);
        }
    }
}
