package dev.execserver.cli.client.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BytePathsTest {
    @ParameterizedTest
    @CsvSource({"/a/b,b,/a/", "/a/b//,b,/a/", "/a,a,/", "/,'',/", "/a/.,.,/a/", "/a/..,..,/a/"})
    void aPathHasALastSegmentAndAParent(String path, String last, String parent) {
        assertThat(BytePaths.last(uri(path))).asString(UTF_8).isEqualTo(last);
        assertThat(BytePaths.parent(uri(path)).display()).isEqualTo(parent);
        assertThat(BytePaths.hasName(uri(path))).isEqualTo(last.startsWith("a") || last.startsWith("b"));
    }

    @Test
    void aPartIsAHiddenNeighbour() {
        assertThat(BytePaths.part(uri("/a/b/")).display()).matches("/a/\\.exec-server-cp-[0-9a-f]{16}");
        assertThat(BytePaths.part(uri("/b")).display()).matches("/\\.exec-server-cp-[0-9a-f]{16}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../x", "a/b", "/etc/passwd", "a\0b"})
    void aServerCannotLeadACopyOutOfItsDirectory(String name) {
        assertThatThrownBy(() -> BytePaths.checkedChild(uri("/target"), name.getBytes(UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the server names an entry that is no name");
    }

    @Test
    void bytesSurviveTheWayThroughThePathsOfTheJdk() {
        PathUri odd = PathUri.ofNative(new byte[] {'/', 't', '/', (byte) 0xe9, '%', ' ', '?', '#', '\n', (byte) 0xff});
        Path local = LocalPaths.path(odd);

        assertThat(LocalPaths.uri(local)).isEqualTo(odd);
        assertThat(LocalPaths.uri(Path.of("/")).display()).isEqualTo("/");
    }

    private static PathUri uri(String path) {
        return PathUri.ofNative(path);
    }
}
