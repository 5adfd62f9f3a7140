package dev.execserver.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppendedFileTest {
    @TempDir
    private Path folder;

    private Path path;

    @BeforeEach
    void name() {
        path = folder.resolve("access.log");
    }

    private static void write(AppendedFile file, String text) throws IOException {
        file.write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theFileIsMadeForItsOwnerAndGroupAndKeepsWhatItHas() throws IOException {
        try (AppendedFile file = new AppendedFile(path)) {
            write(file, "one\n");
        }
        try (AppendedFile file = new AppendedFile(path)) {
            write(file, "two\n");
        }
        assertThat(path).hasContent("one\ntwo");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .startsWith("rw-")
                .endsWith("---");
    }

    @Test
    void aRenamedFileIsFollowedByANewOne() throws IOException {
        try (AppendedFile file = new AppendedFile(path)) {
            write(file, "one\n");
            Files.move(path, folder.resolve("access.log.1"));
            write(file, "two\n");
            write(file, "three\n");
        }
        assertThat(folder.resolve("access.log.1")).hasContent("one");
        assertThat(path).hasContent("two\nthree");
    }

    @Test
    void aTruncatedFileGoesOnAtItsNewEnd() throws IOException {
        try (AppendedFile file = new AppendedFile(path)) {
            write(file, "one\n");
            Files.write(path, new byte[0]);
            write(file, "two\n");
        }
        assertThat(path).hasContent("two");
    }

    @Test
    void linesAreNotLostWhileTheFolderIsGone() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("log"));
        Path moved = folder.resolve("moved");
        try (AppendedFile file = new AppendedFile(inner.resolve("access.log"))) {
            write(file, "one\n");
            Files.move(inner, moved);
            write(file, "two\n");
            Files.createDirectory(inner);
            write(file, "three\n");
        }
        assertThat(moved.resolve("access.log")).hasContent("one\ntwo");
        assertThat(inner.resolve("access.log")).hasContent("three");
    }

    @Test
    void whatIsNoRegularFileIsRefused() {
        assertThatThrownBy(() -> new AppendedFile(Path.of("/dev/null")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no regular file");
        assertThatThrownBy(() -> new AppendedFile(folder.resolve("missing/access.log")))
                .isInstanceOf(IOException.class);
    }
}
