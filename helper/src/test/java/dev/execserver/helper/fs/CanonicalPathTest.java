package dev.execserver.helper.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.sandbox.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CanonicalPathTest {
    @TempDir
    private Path directory;

    private static String canonical(Path path) {
        return new String(CanonicalPath.canonical(path.toString().getBytes(UTF_8)), UTF_8);
    }

    @Test
    void linksAreFollowedAsTheKernelDoes() throws IOException {
        Path deep = Files.createDirectories(directory.resolve("a/b"));
        Files.writeString(deep.resolve("f"), "");
        Files.createSymbolicLink(directory.resolve("a/relative"), Path.of("../a/./b"));
        Files.createSymbolicLink(directory.resolve("absolute"), deep);
        Files.createSymbolicLink(directory.resolve("chain"), Path.of("absolute/../relative"));
        for (String name : new String[] {"a/b/f", "a/relative/f", "absolute/f", "chain/f", "chain/../b", "a/..", "."}) {
            Path path = Path.of(directory + "/" + name);
            assertThat(canonical(path)).as(name).isEqualTo(path.toRealPath().toString());
        }
        assertThat(canonical(Path.of("/"))).isEqualTo("/");
        assertThat(canonical(Path.of("/../.."))).isEqualTo("/");
    }

    @Test
    void aCircleEnds() throws IOException {
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        assertThatThrownBy(() -> canonical(loop))
                .isInstanceOf(LinuxException.class)
                .hasMessageContaining("os error 40");
    }
}
