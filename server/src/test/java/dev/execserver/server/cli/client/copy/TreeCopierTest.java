package dev.execserver.server.cli.client.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.server.cli.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies from this machine to itself. */
@Timeout(60)
class TreeCopierTest {
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final Report report = new Report(
            new Console(
                    new PrintStream(OutputStream.nullOutputStream(), true, UTF_8),
                    new PrintStream(errors, true, UTF_8),
                    Map.of()),
            Progress.SILENT);

    @TempDir
    private Path directory;

    @Test
    void aTargetDeepInItsOwnSourceIsToldAndComesToAnEnd() throws Exception {
        Path source = Files.createDirectories(directory.resolve("d/s")).getParent();
        Files.writeString(source.resolve("s/f"), "x");

        copy(source, source.resolve("s"));

        assertThat(report.clean()).isFalse();
        assertThat(errors.toString(UTF_8))
                .contains(TreeCopier.MAX_DEPTH + " directories deep")
                .hasLineCount(1);
        assertThat(source.resolve("s/d/s/f")).hasContent("x");
    }

    @Test
    void aTreeOfTheLargestDepthIsCopied() throws Exception {
        Path deepest = directory.resolve("tree");
        for (int i = 1; i < TreeCopier.MAX_DEPTH; i++) {
            deepest = deepest.resolve("d");
        }
        Files.createDirectories(deepest);

        copy(directory.resolve("tree"), directory.resolve("copy"));

        assertThat(report.clean()).isTrue();
        assertThat(directory.resolve("copy").resolve(directory.resolve("tree").relativize(deepest)))
                .isDirectory();
    }

    @Test
    void thePathThatHasFailedIsNamed() throws Exception {
        Path source = Files.writeString(directory.resolve("f"), "x");

        copy(source, Path.of("/proc/x"));
        copy(directory.resolve("none"), directory.resolve("copy"));
        copy(Path.of("/proc/self/mem"), directory.resolve("copy"));
        Path tree = Files.createDirectories(directory.resolve("tree/sub")).getParent();
        copy(tree, Path.of("/proc/x"));

        assertThat(errors.toString(UTF_8).lines())
                .containsExactly(
                        "Error: /proc/x: No such file or directory (os error 2)",
                        "Error: " + directory + "/none: No such file or directory (os error 2)",
                        "Error: /proc/self/mem: Input/output error (os error 5)",
                        "Error: /proc/x: No such file or directory (os error 2)");
    }

    @Test
    void aTargetThatIsNotThereIsNotSaidToBeNoDirectory() throws Exception {
        Path source = Files.writeString(directory.resolve("f"), "x");
        List<PathUri> two = List.of(LocalSide.path(source), LocalSide.path(directory.resolve("g")));

        copier().copyAll(two, LocalSide.path(directory.resolve("none")), false);
        copier().copyAll(two, LocalSide.path(source), false);

        assertThat(errors.toString(UTF_8).lines())
                .containsExactly(
                        "Error: " + directory + "/none: it does not exist; make the directory first",
                        "Error: " + source + ": it is not a directory");
    }

    private TreeCopier copier() {
        Leftovers leftovers = new Leftovers();
        return new TreeCopier(new LocalSide(leftovers), new LocalSide(leftovers), true, report);
    }

    private void copy(Path source, Path target) throws IOException, InterruptedException {
        copier().copyAll(List.of(LocalSide.path(source)), LocalSide.path(target), false);
    }
}
