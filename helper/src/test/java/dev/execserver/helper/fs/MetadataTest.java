package dev.execserver.helper.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.MetadataResult;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataTest {

    @TempDir
    private Path directory;

    private static MetadataResult read(Path path, boolean followSymlinks) {
        return (MetadataResult) FileOperations.run(params(path, followSymlinks));
    }

    private static Optional<JsonWritable> readCached(Path path) {
        return FileOperations.runCached(params(path, true), DisclosurePolicy.FULL);
    }

    private static MetadataParams params(Path path, boolean followSymlinks) {
        return new MetadataParams(PathUri.ofNative(path.toString()), followSymlinks, Optional.empty());
    }

    @Test
    void aFileIsDescribedWithItsSizeAndTimes() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "12345");
        MetadataResult result = read(file, true);
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
        MetadataResult result = read(link, true);
        assertThat(result.isDirectory()).isTrue();
        assertThat(result.isSymlink()).isTrue();
    }

    @Test
    void whatTheKernelHasInMemoryIsTheSameAsWhatItReads() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "12345");
        MetadataResult read = read(file, true);
        Optional<JsonWritable> cached = readCached(file);
        assertThat(cached.orElse(read)).isEqualTo(read);
    }

    @Test
    void aLinkIsNeverAnsweredFromMemory() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        assertThat(readCached(link)).isEmpty();
    }

    @Test
    void filesWithoutABlockDeviceAreNeverAnsweredFromMemory() {
        assertThat(readCached(Path.of("/proc/self/status"))).isEmpty();
    }

    @Test
    void aMissingFileIsNotFound() {
        Path missing = directory.resolve("missing");
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> read(missing, true))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(-32004);
                    assertThat(e.message()).isEqualTo("No such file or directory (os error 2)");
                });
    }

    @Test
    void withoutFollowingALinkAnywhereInThePathIsRefused() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        Files.writeString(directory.resolve("file"), "x");
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> read(link, false))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(-32600);
                    assertThat(e.message()).isEqualTo("path contains a symbolic link");
                });
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> read(link.resolve("file"), false))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(-32603);
                    assertThat(e.message()).isEqualTo("Not a directory (os error 20)");
                });
        assertThat(read(directory.resolve("file"), false).size()).isEqualTo(1);
    }
}
