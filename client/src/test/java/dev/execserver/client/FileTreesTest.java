package dev.execserver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that a server sends; copies are tested by {@code JavaClientIT}. */
class FileTreesTest {

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "/", "/etc/passwd", "../up", "a/b", "a\0b"})
    void aNameThatLeavesTheTargetEndsTheDownload(String name) {
        assertThatThrownBy(() -> FileTrees.checked(name))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("which is no name of a file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "...", "a b%", ".hidden", "-rf"})
    void otherNamesAreTaken(String name) throws IOException {
        assertThat(FileTrees.checked(name)).isEqualTo(name);
    }
}
