package dev.execserver.helper.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReplacementTest {

    @TempDir
    private Path directory;

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static FileReplacement.Stored store(Path path, String content, FileCondition condition) {
        try (FileReplacement sink = FileReplacement.open(bytes(path), condition)) {
            byte[] data = content.getBytes(StandardCharsets.UTF_8);
            sink.write(data, data.length);
            return sink.commit();
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    private static FileCondition is(String tag) {
        return new FileCondition(Optional.of(tag), Optional.empty());
    }

    @Test
    void aNewFileAppearsWholeAndAlone() throws IOException {
        Path file = directory.resolve("new");
        FileReplacement.Stored stored = store(file, "content", FileCondition.NONE);
        assertThat(stored.created()).isTrue();
        assertThat(file).hasContent("content");
        assertThat(names()).containsExactly("new");
        try (FileSource source = FileSource.open(bytes(file))) {
            assertThat(source.tag()).isEqualTo(stored.tag());
        }
    }

    @Test
    void nothingIsSeenBeforeTheCommitAndNothingIsLeftWithoutOne() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "old");
        try (FileReplacement sink = FileReplacement.open(bytes(file), FileCondition.NONE)) {
            sink.write(new byte[100_000], 100_000);
            assertThat(file).hasContent("old");
            assertThat(names()).allMatch(name -> name.equals("file") || name.startsWith(TemporaryFile.PREFIX));
        }
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("file");
    }

    @Test
    void modeAndOwnerOfTheOldFileAreKept() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        boolean root = (int) Files.getAttribute(file, "unix:uid") == 0;
        if (root) {
            Files.setAttribute(file, "unix:uid", 12_345);
            Files.setAttribute(file, "unix:gid", 23_456);
        }
        assertThat(store(file, "new", FileCondition.NONE).created()).isFalse();
        assertThat(file).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr-x--x");
        assertThat((int) Files.getAttribute(file, "unix:uid"))
                .isEqualTo(root ? 12_345 : Files.getAttribute(file, "unix:uid"));
    }

    @Test
    void linksAreFollowedAndStay() throws IOException {
        Path sub = Files.createDirectory(directory.resolve("sub"));
        Path target = Files.writeString(sub.resolve("target"), "old");
        Path second = Files.createSymbolicLink(sub.resolve("second"), Path.of("target"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("sub/second"));
        store(link, "new", FileCondition.NONE);
        assertThat(target).hasContent("new");
        assertThat(link).isSymbolicLink();
        assertThat(second).isSymbolicLink();
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("made"));
        store(dangling, "made", FileCondition.NONE);
        assertThat(directory.resolve("made")).hasContent("made");
    }

    @Test
    void aSlashBehindTheNameOfAFileIsRefused() throws IOException {
        Files.writeString(directory.resolve("file"), "old");
        for (String name : List.of("file/", "missing/")) {
            byte[] path = (directory + "/" + name).getBytes(StandardCharsets.UTF_8);
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(() -> FileReplacement.open(path, FileCondition.NONE));
        }
        assertThat(directory.resolve("file")).hasContent("old");
        assertThat(directory.resolve("missing")).doesNotExist();
    }

    @Test
    void aLoopOfLinksEnds() throws IOException {
        Files.createSymbolicLink(directory.resolve("a"), Path.of("b"));
        Files.createSymbolicLink(directory.resolve("b"), Path.of("a"));
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> store(directory.resolve("a"), "x", FileCondition.NONE))
                .withMessageContaining("os error 40");
    }

    @Test
    void onlyAStateThatWasAskedForIsReplaced() throws IOException {
        Path file = directory.resolve("file");
        String first = store(file, "1", FileCondition.NONE).tag();
        String second = store(file, "2", is(first)).tag();
        assertThat(file).hasContent("2");
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> store(file, "3", is(first)))
                .satisfies(e -> assertThat(e.data().orElseThrow().members()).containsEntry("reason", "conflict"));
        assertThat(file).hasContent("2");
        assertThat(second).isNotEqualTo(first);
        assertThat(names()).containsExactly("file");
    }

    @Test
    void whoeverWritesMeanwhileWins() throws IOException {
        Path file = directory.resolve("file");
        String tag = store(file, "1", FileCondition.NONE).tag();
        try (FileReplacement slow = FileReplacement.open(bytes(file), is(tag))) {
            slow.write(new byte[1], 1);
            store(file, "2", is(tag));
            assertThatExceptionOfType(RpcException.class).isThrownBy(slow::commit);
        }
        assertThat(file).hasContent("2");
        assertThat(names()).containsExactly("file");
    }

    @Test
    void aFileThatMustNotExistIsNotReplaced() throws IOException {
        Path file = directory.resolve("file");
        FileCondition absent = FileCondition.ABSENT;
        try (FileReplacement slow = FileReplacement.open(bytes(file), absent)) {
            Files.writeString(file, "theirs");
            assertThatExceptionOfType(RpcException.class).isThrownBy(slow::commit);
        }
        assertThat(file).hasContent("theirs");
        assertThatExceptionOfType(RpcException.class).isThrownBy(() -> store(file, "x", absent));
        assertThat(names()).containsExactly("file");
    }

    /** Uses only files in the test's own directory, because a file that is not refused is replaced. */
    @Test
    void whatIsNoRegularFileIsRefused() throws Exception {
        Path fifo = directory.resolve("fifo");
        run("mkfifo", fifo.toString());
        Path sub = Files.createDirectory(directory.resolve("sub"));
        List<Path> refused = new ArrayList<>(List.of(fifo, sub, directory.resolve("sub/.")));
        if (ownedByRoot(directory)) {
            Path device = directory.resolve("device");
            run("mknod", device.toString(), "c", "1", "3");
            refused.add(device);
        }
        for (Path path : refused) {
            assertThatExceptionOfType(RpcException.class)
                    .as(path.toString())
                    .isThrownBy(() -> store(path, "x", FileCondition.NONE));
        }
        assertThat(Files.isRegularFile(fifo)).isFalse();
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> store(directory.resolve("no/such"), "x", FileCondition.NONE))
                .satisfies(e -> assertThat(e.data().orElseThrow().members()).containsKey("path"));
    }

    @Test
    void theWayThroughProcToAnOpenFileIsClosed() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "old");
        Process holder =
                new ProcessBuilder("sleep", "60").redirectInput(file.toFile()).start();
        try {
            Path magic = Path.of("/proc/" + holder.pid() + "/fd/0");
            assertThat(Files.readSymbolicLink(magic)).isEqualTo(file);
            Path link = Files.createSymbolicLink(directory.resolve("link"), magic);
            for (Path path : List.of(magic, link)) {
                assertThatExceptionOfType(RpcException.class)
                        .as(path.toString())
                        .isThrownBy(() -> store(path, "new", FileCondition.NONE))
                        .withMessageContaining("os error 40");
            }
            assertThat(file).hasContent("old");
            assertThat(names()).containsExactly("file", "link");
        } finally {
            holder.destroyForcibly();
        }
    }

    private static boolean ownedByRoot(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid") == 0;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).start().waitFor())
                .as(String.join(" ", command))
                .isZero();
    }
}
