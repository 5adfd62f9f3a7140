package dev.execserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.server.config.ConfigException;
import dev.execserver.server.config.RuntimePaths;
import dev.execserver.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartChecksTest {
    @TempDir
    private Path folder;

    @Test
    void aHelperJarThatIsNotThereIsSaidAtTheStart() {
        Path jar = folder.resolve("none.jar");
        assertRefused(
                new RuntimePaths(Optional.of(jar), Optional.empty(), Optional.empty(), Optional.empty()),
                "--helper-jar " + jar + " is no file that can be read");
    }

    @Test
    void aBubblewrapThatCannotBeRunIsSaidAtTheStart() throws IOException {
        for (Path program : List.of(folder.resolve("none"), folder, Files.createFile(folder.resolve("plain")))) {
            assertRefused(
                    new RuntimePaths(Optional.empty(), Optional.of(program), Optional.empty(), Optional.empty()),
                    "--bwrap " + program + " is no program that can be run");
        }
    }

    @Test
    void aStateDirectoryIsMadeForNobodyElse() throws IOException {
        Path directory = folder.resolve("a/b");
        StartChecks.check(ServerConfig.DEFAULTS.withPaths(
                new RuntimePaths(Optional.empty(), Optional.empty(), Optional.of(directory), Optional.empty())));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
    }

    @Test
    void aStateDirectoryThatIsAFileIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertRefused(
                new RuntimePaths(Optional.empty(), Optional.empty(), Optional.of(file), Optional.empty()),
                "--state-dir " + file + " cannot be made: ");
    }

    private static void assertRefused(RuntimePaths paths, String message) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> StartChecks.check(ServerConfig.DEFAULTS.withPaths(paths)))
                .withMessageStartingWith(message)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(ConfigException.Kind.FAILURE));
    }
}
