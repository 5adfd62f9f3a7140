package dev.execserver.helper.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class FileSourceTest {

    @TempDir
    private Path directory;

    private static FileSource open(Path path) {
        return FileSource.open(path.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String tag(Path path) {
        try (FileSource source = open(path)) {
            return source.tag();
        }
    }

    @Test
    void anyPartCanBeRead() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "0123456789");
        try (FileSource source = open(file)) {
            byte[] part = new byte[4];
            assertThat(source.size()).isEqualTo(10);
            assertThat(source.read(part, 4, 3)).isEqualTo(4);
            assertThat(part).asString().isEqualTo("3456");
            assertThat(source.read(part, 4, 8)).isEqualTo(2);
        }
    }

    @Test
    void aFileOfProcHasItsRealSize() {
        try (FileSource source = open(Path.of("/proc/self/status"))) {
            byte[] all = new byte[(int) source.size()];
            assertThat(source.read(all, all.length, 0)).isEqualTo(all.length);
            assertThat(new String(all, StandardCharsets.UTF_8)).startsWith("Name:");
            assertThat(source.read(all, 5, all.length)).isZero();
        }
    }

    @Test
    void theTagTellsStatesApart() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "1");
        String first = tag(file);
        assertThat(tag(file)).isEqualTo(first).matches("\"[0-9a-f-]+\"");
        // Two writes within one tick of the clock get equal times, so this sets the modification time back. The change
        // time cannot be set.
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        assertThat(tag(file)).isNotEqualTo(first);
        Path copy = Files.copy(file, directory.resolve("copy"));
        assertThat(tag(copy)).isNotEqualTo(tag(file));
    }

    @Test
    void whatIsNoRegularFileIsRefusedWithoutWaiting() throws Exception {
        Path fifo = directory.resolve("fifo");
        new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
        for (Path path : new Path[] {fifo, Path.of("/dev/zero"), directory, Path.of("/proc/self/exe")}) {
            assertThatExceptionOfType(RpcException.class).as(path.toString()).isThrownBy(() -> open(path));
        }
    }
}
