package dev.execserver.cli.client.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.cli.Console;
import dev.execserver.protocol.paths.PathUri;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void c11_aTargetInItsOwnSourceIsFilledOnce() throws Exception {
        Path source = Files.createDirectories(directory.resolve("d/s/backup"))
                .getParent()
                .getParent();
        Files.writeString(source.resolve("s/f"), "x");

        copy(source, source.resolve("s/backup"));

        Path copy = source.resolve("s/backup/d");
        assertThat(errors.toString(UTF_8))
                .isEqualTo("Error: " + copy
                        + ": it is what this copy makes, on the same machine; nothing is copied into" + " itself\n");
        assertThat(copy.resolve("s/f")).hasContent("x");
        assertThat(copy.resolve("s/backup")).isEmptyDirectory();
        assertThat(copy.toFile().list()).containsExactly("s");
    }

    @Test
    void c11_aLinkToTheParentOfTheTargetDoesNotLeadIntoIt() throws Exception {
        Path source = Files.createDirectory(directory.resolve("d"));
        Files.writeString(source.resolve("f"), "x");
        Files.createSymbolicLink(source.resolve("loop"), Path.of(".."));

        copy(source, directory.resolve("copy"));

        Path copied = directory.resolve("copy/loop");
        assertThat(errors.toString(UTF_8).lines())
                .containsExactly(
                        "Error: " + source
                                + "/loop/copy: it is what this copy makes, on the same machine; nothing is copied"
                                + " into itself",
                        "Error: " + source + "/loop/d: it is a link to a directory that it is in");
        assertThat(copied).isEmptyDirectory();
        assertThat(directory.resolve("copy/f")).hasContent("x");
    }

    @Test
    void c11_aTargetInTheSourceThatIsNotThereYetIsOneWholeCopy() throws Exception {
        Path source = Files.createDirectory(directory.resolve("d"));
        Files.writeString(source.resolve("f"), "x");

        copy(source, source.resolve("new"));

        assertThat(report.clean()).isTrue();
        assertThat(source.resolve("new").toFile().list()).containsExactly("f");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[slug].tsx", "a[b", "a|b", "{}^\\`\"<>#?%&;+*' x", "caf\u00e9"})
    void c100_anyNameIsCopiedAndMayBeADirectoryOnTheWay(String name) throws Exception {
        Path source = Files.createDirectories(
                directory.resolve("d").resolve(LocalPaths.path(name(name)).getFileName()));
        Files.writeString(LocalPaths.path(BytePaths.child(LocalSide.path(source), name.getBytes(UTF_8))), "x");

        copy(directory.resolve("d"), directory.resolve("copy"));

        assertThat(errors.toString(UTF_8)).isEmpty();
        PathUri copied = BytePaths.child(LocalSide.path(directory.resolve("copy")), name.getBytes(UTF_8));
        assertThat(LocalPaths.path(BytePaths.child(copied, name.getBytes(UTF_8))))
                .hasContent("x");
    }

    @Test
    void c04_anOpenFileOfAProcessIsNotReplaced() throws Exception {
        Path source = Files.writeString(directory.resolve("f"), "x");
        Path history = Files.writeString(directory.resolve("hist"), "history");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("link2"));
        try (FileChannel open = FileChannel.open(history, StandardOpenOption.APPEND)) {
            String number = descriptorOf(history);
            Files.createSymbolicLink(directory.resolve("link2"), Path.of("/dev/fd/" + number));
            List<Path> names = List.of(
                    Path.of("/dev/fd/" + number),
                    Path.of("/proc/self/fd/" + number),
                    Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + number),
                    link);
            for (Path name : names) {
                copy(source, name);
            }
            assertThat(errors.toString(UTF_8).lines())
                    .hasSize(names.size())
                    .allMatch(line -> line.endsWith(
                            " is an open file of a process and is not replaced; write - for standard output"));
            assertThat(open.isOpen()).isTrue();
        }
        assertThat(history).hasContent("history");
        assertThat(OpenFiles.named(PathUri.ofNative("/dev/stdout"))).isTrue();
        assertThat(OpenFiles.named(PathUri.ofNative("/tmp/stdout"))).isFalse();
    }

    @Test
    void aLinkToNothingIsNotReplaced() throws Exception {
        Path source = Files.writeString(directory.resolve("f"), "x");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("none"));

        copy(source, link);

        assertThat(errors.toString(UTF_8))
                .isEqualTo("Error: " + source + ": " + link
                        + " is a link to nothing; name the file itself, or remove the" + " link\n");
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(directory.resolve("none")).doesNotExist();
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

    private static PathUri name(String name) {
        return PathUri.ofNative("/" + name);
    }

    private static String descriptorOf(Path file) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(entry -> leadsTo(entry, file))
                    .map(entry -> entry.getFileName().toString())
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file.toRealPath());
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    private TreeCopier copier() {
        IncompleteFiles leftovers = new IncompleteFiles();
        return new TreeCopier(new LocalSide(leftovers), new LocalSide(leftovers), true, report);
    }

    private void copy(Path source, Path target) throws IOException, InterruptedException {
        copier().copyAll(List.of(LocalSide.path(source)), LocalSide.path(target), false);
    }
}
