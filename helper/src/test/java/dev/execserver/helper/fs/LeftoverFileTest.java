package dev.execserver.helper.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the names of temporary files that another process has made. */
class LeftoverFileTest {

    @TempDir
    private Path directory;

    private RegularFile made(String name) {
        return RegularFile.replace(directory.resolve(name).toString().getBytes(StandardCharsets.UTF_8), false);
    }

    @Test
    void aHiddenNameIsRemovedAsLongAsItLeadsToThatFile() throws IOException {
        try (RegularFile file = made(".exec-server-12ab")) {
            LeftoverFile leftover = LeftoverFile.of(file).orElseThrow();
            assertThat(leftover.remove(file)).isTrue();
            assertThat(directory).isEmptyDirectory();
            assertThat(leftover.remove(file)).isFalse();
            Path another = Files.writeString(directory.resolve(".exec-server-12ab"), "somebody else's");
            assertThat(leftover.remove(file)).isFalse();
            assertThat(another).exists();
        }
    }

    @Test
    void otherNamesAreNobodysBusiness() {
        try (RegularFile file = made("file")) {
            assertThat(LeftoverFile.of(file)).isEmpty();
        }
        try (RegularFile file = made(".exec-server-")) {
            assertThat(LeftoverFile.of(file)).isEmpty();
        }
    }

    @Test
    void aFileWithoutANameHasNone() throws IOException {
        try (RegularFile file = made(".exec-server-34cd")) {
            Files.delete(directory.resolve(".exec-server-34cd"));
            LeftoverFile leftover =
                    LeftoverFile.of(file).orElseThrow(); // its name ends in "(deleted)" and does not exist
            assertThat(leftover.remove(file)).isFalse();
        }
    }
}
