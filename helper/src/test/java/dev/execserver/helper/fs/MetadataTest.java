package dev.execserver.helper.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.fs.MetadataResult;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataTest {

    @TempDir
    private Path directory;

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aFileIsDescribedWithItsSizeAndTimes() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "12345");
        MetadataResult result = Metadata.read(bytes(file), true);
        assertThat(result.isFile()).isTrue();
        assertThat(result.isDirectory()).isFalse();
        assertThat(result.isSymlink()).isFalse();
        assertThat(result.size()).isEqualTo(5);
        assertThat(result.modifiedAtMs())
                .isEqualTo(Files.getLastModifiedTime(file).toMillis());
    }

    @Test
    void aLinkIsDescribedAsItsTargetAndSaysThatItIsOne() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        MetadataResult result = Metadata.read(bytes(link), true);
        assertThat(result.isDirectory()).isTrue();
        assertThat(result.isSymlink()).isTrue();
    }

    @Test
    void whatTheKernelHasInMemoryIsTheSameAsWhatItReads() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "12345");
        MetadataResult read = Metadata.read(bytes(file), true);
        Optional<MetadataResult> cached = Metadata.readCached(bytes(file), true);
        assertThat(cached.orElse(read)).isEqualTo(read);
    }

    @Test
    void aLinkIsNeverAnsweredFromMemory() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        assertThat(Metadata.readCached(bytes(link), true)).isEmpty();
    }

    @Test
    void filesWithoutABlockDeviceAreNeverAnsweredFromMemory() {
        assertThat(Metadata.readCached(bytes(Path.of("/proc/self/status")), true))
                .isEmpty();
    }

    @Test
    void aMissingFileIsNotFound() {
        Path missing = directory.resolve("missing");
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> Metadata.read(bytes(missing), true))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(-32004);
                    assertThat(e.message()).isEqualTo("No such file or directory (os error 2)");
                });
    }

    @Test
    void withoutFollowingALinkAnywhereInThePathIsRefused() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        Files.writeString(directory.resolve("file"), "x");
        for (Path path : new Path[] {link, link.resolve("file")}) {
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(() -> Metadata.read(bytes(path), false))
                    .satisfies(e -> {
                        assertThat(e.code()).isEqualTo(-32600);
                        assertThat(e.message()).isEqualTo("path contains a symbolic link");
                    });
        }
        assertThat(Metadata.read(bytes(directory.resolve("file")), false).size())
                .isEqualTo(1);
    }
}
