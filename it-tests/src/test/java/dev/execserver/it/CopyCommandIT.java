package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.UnreliableLink;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec-server cp} against the packaged server, without HTTP beside the WebSocket. Both sides are this machine. */
@Timeout(180)
class CopyCommandIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int BIG = 48 << 20;
    private static final int CUTS = 4;
    private static final String PART = ".exec-server-cp-";

    @TempDir
    private Path directory;

    private Path here;
    private Path there;

    @BeforeEach
    void makeBothSides() throws IOException {
        here = Files.createDirectory(directory.resolve("here"));
        there = Files.createDirectory(directory.resolve("there"));
    }

    @Test
    void aFileGoesThereAndBackWithItsMode() throws IOException {
        Path source = file(here.resolve("a b"), "content", "rwx--x--x");

        assertThat(cp(source, ":" + there)).isEqualTo(new Program(0, "", ""));
        assertThat(there.resolve("a b")).hasContent("content");
        assertThat(mode(there.resolve("a b"))).isEqualTo("rwx--x--x");

        assertThat(cp(":" + there.resolve("a b"), here.resolve("back")).status())
                .isZero();
        assertThat(here.resolve("back")).hasContent("content");
        assertThat(mode(here.resolve("back"))).isEqualTo("rwx--x--x");
    }

    @Test
    void aTreeGoesThereAndBackWithNamesThatAreNotUtf8() throws IOException {
        Path tree = Files.createDirectories(here.resolve("tree/sub/empty"))
                .getParent()
                .getParent();
        Path odd = Path.of(URI.create(tree.toUri() + "caf%E9-%FF%0A"));
        file(odd, "odd", "rw-r-----");
        file(tree.resolve("sub/f"), "in sub", "r--r--r--");
        Files.createSymbolicLink(tree.resolve("link"), Path.of("sub/f"));
        Files.setPosixFilePermissions(tree.resolve("sub"), PosixFilePermissions.fromString("r-xr-xr-x"));

        assertThat(cp("-r", tree, ":" + there + "/copy")).isEqualTo(new Program(0, "", ""));
        assertThat(cp("--recursive", ":" + there + "/copy", here)).isEqualTo(new Program(0, "", ""));

        for (Path copy : List.of(there.resolve("copy"), here.resolve("copy"))) {
            assertThat(Path.of(URI.create(copy.toUri() + "caf%E9-%FF%0A"))).hasContent("odd");
            assertThat(copy.resolve("sub/f")).hasContent("in sub");
            assertThat(copy.resolve("sub/empty")).isEmptyDirectory();
            assertThat(copy.resolve("link")).isRegularFile().hasContent("in sub");
            assertThat(Files.isSymbolicLink(copy.resolve("link"))).isFalse();
            assertThat(mode(copy.resolve("sub"))).isEqualTo("r-xr-xr-x");
            assertThat(mode(copy.resolve("sub/f"))).isEqualTo("r--r--r--");
        }
    }

    @Test
    void aDirectoryThatIsThereIsCopiedIntoAndOneThatIsNotIsMade() throws IOException {
        Path tree = Files.createDirectory(here.resolve("tree"));
        file(tree.resolve("f"), "1", "rw-r--r--");

        assertThat(cp("-r", tree, ":" + there + "/new").status()).isZero();
        assertThat(cp("-r", tree, ":" + there + "/new").status()).isZero();
        assertThat(cp("-r", tree + "/.", ":" + there + "/new/tree").status()).isZero();

        assertThat(there.resolve("new/f")).exists();
        assertThat(there.resolve("new/tree/f")).exists();
        assertThat(there.resolve("new/tree/tree")).doesNotExist();
    }

    @Test
    void c100_anyNameGoesThereAndBack() throws IOException {
        Path tree = Files.createDirectories(here.resolve("tree/[id]"));
        file(tree.resolve("[slug].tsx"), "slug", "rw-r--r--");
        file(tree.resolve("a|b"), "bar", "rw-r--r--");

        assertThat(cp("-r", here + "/tree", ":" + there + "/copy")).isEqualTo(new Program(0, "", ""));
        assertThat(cp("-r", ":" + there + "/copy", here + "/back")).isEqualTo(new Program(0, "", ""));

        assertThat(here.resolve("back/[id]/[slug].tsx")).hasContent("slug");
        assertThat(here.resolve("back/[id]/a|b")).hasContent("bar");
        assertThat(cp(":" + there + "/copy/[id]/a|b", here + "/[x").status()).isZero();
    }

    @Test
    void c11_aDirectoryIsNotCopiedIntoItself() throws IOException {
        Path tree = Files.createDirectories(here.resolve("t/backup")).getParent();
        file(tree.resolve("a.data"), "a", "rw-r--r--");

        Program copy = cp("-r", tree, ":" + tree + "/backup");

        assertThat(copy.status()).isEqualTo(1);
        assertThat(copy.err())
                .isEqualTo("Error: " + tree
                        + "/backup/t: it is what this copy makes, on the same machine; nothing is copied"
                        + " into itself\n");
        assertThat(tree.resolve("backup/t/a.data")).hasContent("a");
        assertThat(tree.resolve("backup/t/backup")).isEmptyDirectory();
    }

    @Test
    void aLinkToNothingIsNotReplacedOnEitherSide() throws IOException {
        Path source = file(here.resolve("f"), "f", "rw-r--r--");
        for (Path side : List.of(here, there)) {
            Files.createSymbolicLink(side.resolve("link"), Path.of("none"));
        }
        assertThat(cp(source, ":" + there + "/link").err()).contains(":" + there + "/link is a link to nothing");
        assertThat(cp(":" + source, here + "/link").err()).contains(here + "/link is a link to nothing");
        Files.createSymbolicLink(there.resolve("directory"), there);
        assertThat(cp(source, ":" + there + "/directory/new")).isEqualTo(new Program(0, "", ""));
    }

    @Test
    void c04_standardOutputIsNotReplacedByItsName() throws Exception {
        Path source = file(there.resolve("f"), "new", "rw-r--r--");
        Path history = file(here.resolve("hist"), "history\n", "rw-r--r--");
        List<String> command = ServerCommand.of(
                List.of("cp", "--url", SERVER.process().url().toString(), ":" + source, "/dev/stdout"));

        Process copy = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(history.toFile()))
                .start();

        assertThat(new String(copy.getErrorStream().readAllBytes(), UTF_8))
                .contains("/dev/stdout is an open file of a process and is not replaced; write - for standard output");
        assertThat(copy.waitFor()).isEqualTo(1);
        assertThat(history).hasContent("history\n");
    }

    @Test
    void severalSourcesNeedADirectory() throws IOException {
        Path a = file(here.resolve("a"), "a", "rw-r--r--");
        Path b = file(here.resolve("b"), "b", "rw-r--r--");

        assertThat(cp(a, b, ":" + there).status()).isZero();
        assertThat(there.resolve("b")).hasContent("b");
        assertThat(cp(a, b, ":" + there.resolve("a")))
                .isEqualTo(new Program(1, "", "Error: :" + there + "/a: it is not a directory\n"));
        assertThat(cp(a, ":" + there + "/none/"))
                .isEqualTo(new Program(
                        1, "", "Error: :" + there + "/none/: it does not exist; make the directory first\n"));
    }

    @Test
    void aSlashBehindANameStandsForADirectoryAsForCp() throws IOException {
        Path a = file(here.resolve("a"), "a", "rw-r--r--");
        Path tree = Files.createDirectory(here.resolve("tree"));
        file(tree.resolve("f"), "1", "rw-r--r--");
        file(there.resolve("file"), "old", "rw-r--r--");

        assertThat(cp(a, ":" + there + "/file/").status()).isEqualTo(1);
        assertThat(cp(a, ":" + there + "/file/").err()).containsIgnoringCase("not a directory");
        assertThat(cp("-r", tree, ":" + there + "/file/").status()).isEqualTo(1);
        assertThat(there.resolve("file")).hasContent("old");
        assertThat(cp(a + "/", ":" + there + "/new"))
                .isEqualTo(new Program(1, "", "Error: " + a + "/: it is not a directory\n"));
        assertThat(there.resolve("new")).doesNotExist();

        assertThat(cp("-r", tree + "/", ":" + there + "/made/").status()).isZero();
        assertThat(there.resolve("made/f")).hasContent("1");
    }

    @Test
    void whatALinkLeadsToIsReplacedAndNotTheLink() throws IOException {
        Path source = file(here.resolve("f"), "new", "rw-r--r--");
        Path target = file(there.resolve("target"), "old", "rw-r--r--");
        Path link = Files.createSymbolicLink(there.resolve("link"), target);

        assertThat(cp(source, ":" + link).status()).isZero();

        assertThat(target).hasContent("new");
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }

    @Test
    void failuresNameTheFileAndTheRestIsCopied() throws IOException {
        Path tree = Files.createDirectory(here.resolve("tree"));
        file(tree.resolve("f"), "1", "rw-r--r--");
        Files.createSymbolicLink(tree.resolve("loop"), Path.of("."));
        Files.createSymbolicLink(tree.resolve("nowhere"), Path.of("none"));

        Program program = cp("-r", tree, ":" + there);

        assertThat(program.status()).isEqualTo(1);
        assertThat(program.err().lines())
                .containsExactlyInAnyOrder(
                        "Error: " + tree + "/loop: it is a link to a directory that it is in",
                        "Error: " + tree + "/nowhere: No such file or directory (os error 2)");
        assertThat(there.resolve("tree/f")).hasContent("1");
        assertThat(cp(tree, ":" + there).err())
                .isEqualTo("Error: " + tree + ": it is a directory; copy it with --recursive\n");
        assertThat(cp(":" + there + "/none", here))
                .isEqualTo(new Program(1, "", "Error: :" + there + "/none: No such file or directory (os error 2)\n"));
        assertThat(cp(tree.resolve("f"), ":" + there + "/no/f"))
                .isEqualTo(
                        new Program(1, "", "Error: " + tree + "/f: there is no directory :" + there + "/no/ for it\n"));
        assertThat(cp(tree.resolve("f"), ":/proc/x"))
                .isEqualTo(new Program(1, "", "Error: :/proc/x: No such file or directory (os error 2)\n"));
        assertThat(cp(tree.resolve("f"), ":/dev/null").err())
                .isEqualTo("Error: " + tree + "/f: :/dev/null is no regular file and is not replaced\n");
        assertThat(cp(":/dev/null", here).err()).isEqualTo("Error: :/dev/null: it is neither a file nor a directory\n");
        assertThat(cp("a", "b").status()).isEqualTo(2);
        assertThat(cp(":/a", ":/b").err()).contains("exec-server run -- cp");
    }

    @Test
    void standardStreamsAreFilesToo() {
        Program.Running in = start("-", ":" + there + "/f");
        in.type("from stdin");
        in.endInput();
        assertThat(in.end()).isEqualTo(new Program(0, "", ""));
        assertThat(cp(":" + there + "/f", "-")).isEqualTo(new Program(0, "from stdin", ""));
    }

    @Test
    void relativePathsBeginWhereTheServerWasStarted() {
        assertThat(cp(":pom.xml", "-").out()).contains("exec-server-it-tests");
    }

    @Test
    void aBigFileSurvivesCutsOfTheConnectionBothWays() throws Exception {
        byte[] content = random();
        Path source = Files.write(here.resolve("big"), content);
        try (UnreliableLink link = UnreliableLink.to(SERVER.port())) {
            String url = "ws://127.0.0.1:" + link.port();
            Program.Running up = Program.start(directory, "cp", "--url", url, source.toString(), ":" + there + "/big");
            cutWhile(up, there, link);
            assertThat(up.end()).isEqualTo(new Program(0, "", ""));
            assertThat(Arrays.equals(Files.readAllBytes(there.resolve("big")), content))
                    .isTrue();

            Program.Running down = Program.start(directory, "cp", "--url", url, ":" + there + "/big", here + "/back");
            cutWhile(down, here, link);
            assertThat(down.end()).isEqualTo(new Program(0, "", ""));
            assertThat(Arrays.equals(Files.readAllBytes(here.resolve("back")), content))
                    .isTrue();
        }
        assertThat(names(there)).containsExactly("big");
        assertThat(names(here)).containsExactlyInAnyOrder("big", "back");
    }

    /** From the moment on in which the copy has begun to write. */
    private static void cutWhile(Program.Running running, Path target, UnreliableLink link)
            throws InterruptedException, IOException {
        Random random = new Random(5);
        while (running.process().isAlive() && names(target).stream().noneMatch(name -> name.startsWith(PART))) {
            Thread.onSpinWait();
        }
        int before = link.troubles();
        do {
            boolean unused = link.trouble(UnreliableLink.Trouble.TRUNCATE, random);
        } while (link.troubles() < before + CUTS && !running.process().waitFor(50, MILLISECONDS));
        assertThat(link.troubles()).isGreaterThan(before);
    }

    @Test
    void aCopyThatIsInterruptedLeavesNothing() throws Exception {
        file(there.resolve("f"), "as it was", "rw-r--r--");
        Program.Running in = start("-", ":" + there + "/f");
        in.type("x".repeat(3 << 20));
        await().atMost(LIMIT).until(() -> names(there).size() == 2);

        in.signal("INT");

        assertThat(in.end().status()).isEqualTo(130);
        assertThat(names(there)).containsExactly("f");
        assertThat(there.resolve("f")).hasContent("as it was");
    }

    @Test
    void aDownloadThatIsInterruptedLeavesNothing() throws Exception {
        Path source = Files.write(there.resolve("big"), random());
        Program.Running down = start(":" + source, here + "/big");
        while (down.process().isAlive() && names(here).isEmpty()) {
            Thread.onSpinWait();
        }

        down.signal("TERM");

        assertThat(down.end().status()).isEqualTo(130);
        assertThat(names(here)).isEmpty();
    }

    @Test
    void aCopyThatIsKilledLeavesNoHalfFile() throws Exception {
        Program.Running in = start("-", ":" + there + "/f");
        in.type("x".repeat(3 << 20));
        await().atMost(LIMIT).until(() -> names(there).size() == 1);

        in.signal("KILL");

        assertThat(in.end().status()).isEqualTo(137);
        assertThat(names(there)).allMatch(name -> name.startsWith(PART));
    }

    @Test
    void withoutAServerItIs255() {
        assertThat(Program.run(directory, "", "cp", "--url", "ws://127.0.0.1:1", "/etc/passwd", ":/tmp/x"))
                .isEqualTo(new Program(
                        255,
                        "",
                        "Error: cannot connect to ws://127.0.0.1:1: Connection refused; does a server run there? It prints its "
                                + "URL when it starts: give that with --url or EXEC_SERVER_URL\n"));
    }

    private static byte[] random() {
        byte[] content = new byte[BIG + 1];
        new Random(7).nextBytes(content);
        return content;
    }

    private static Path file(Path path, String content, String mode) throws IOException {
        Files.write(path, content.getBytes(UTF_8));
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static List<String> names(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    private Program cp(Object... arguments) {
        Program.Running running = start(arguments);
        running.endInput();
        return running.end();
    }

    private Program.Running start(Object... arguments) {
        List<String> line =
                new ArrayList<>(List.of("cp", "--url", SERVER.process().url().toString()));
        Stream.of(arguments).map(Object::toString).forEach(line::add);
        return Program.start(directory, line.toArray(String[]::new));
    }
}
