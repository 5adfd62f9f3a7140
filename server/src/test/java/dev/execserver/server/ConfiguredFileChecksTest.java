package dev.execserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.RuntimePaths;
import dev.execserver.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfiguredFileChecksTest {
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
    void aSpillDirectoryThatIsNoneIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        for (Path wrong : List.of(Path.of("/proc"), Path.of("/dev"), Path.of("/"), file, folder.resolve("none"))) {
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> ConfiguredFileChecks.check(ServerConfig.DEFAULTS.withRetention(
                            ServerConfig.DEFAULTS.retention().withSpillDirectory(wrong))))
                    .withMessageStartingWith("--spill-dir " + wrong + " ")
                    .withMessageEndingWith("; name a directory that the server may write");
        }
    }

    @Test
    void aTmpdirThatCanNeverBeOneIsRefusedWithTheVariableAndTheRemedy() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("/sys"));
        Map<String, String> wrong = Map.of(
                "/proc",
                "belongs to the kernel",
                "/proc/self/fd",
                "belongs to the kernel",
                "/sys",
                "belongs to the kernel",
                "/dev",
                "belongs to the kernel",
                link.toString(),
                "belongs to the kernel",
                "/",
                "is the root of the file system",
                file.toString(),
                "is no directory");
        wrong.forEach((path, why) -> assertThatExceptionOfType(ConfigException.class)
                .as(path)
                .isThrownBy(() -> ConfiguredFileChecks.temporaryFolder(Map.of("TMPDIR", path)))
                .withMessageStartingWith("the variable TMPDIR names " + path + ", which " + why)
                .withMessageEndingWith("set it to a directory for temporary files, such as /tmp, or unset it")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(ConfigException.Kind.FAILURE)));
    }

    @Test
    void aTmpdirThatIsRightOrNotThereIsTaken() {
        for (String named : List.of("", folder.toString(), "/dev/shm", folder + "/missing", "relative")) {
            assertThatCode(() -> ConfiguredFileChecks.temporaryFolder(Map.of("TMPDIR", named)))
                    .as(named)
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> ConfiguredFileChecks.temporaryFolder(Map.of())).doesNotThrowAnyException();
    }

    private static void assertRefused(RuntimePaths paths, String message) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfiguredFileChecks.check(ServerConfig.DEFAULTS.withPaths(paths)))
                .withMessageStartingWith(message)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(ConfigException.Kind.FAILURE));
    }
}
