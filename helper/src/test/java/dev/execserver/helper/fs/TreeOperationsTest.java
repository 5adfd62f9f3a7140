package dev.execserver.helper.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.fs.DirectoryEntry;
import dev.execserver.protocol.fs.ReadDirectoryParams;
import dev.execserver.protocol.fs.ReadDirectoryResult;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.RemoveParams;
import dev.execserver.protocol.fs.WalkResult;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TreeOperationsTest {

    @TempDir(factory = MemoryTempDir.class)
    private Path directory;

    /** Levels of the path of one mkdir call, so that the path is not too long. */
    private static final int LEVELS_AT_ONCE = 250;

    /** Makes a chain of directories whose path is longer than the limit of system calls. */
    private Path deepTree(String name, int levels) throws Exception {
        Path root = Files.createDirectory(directory.resolve(name));
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                "cd \"$0\" && for part; do mkdir -p $part && cd $part || exit; done && touch leaf",
                root.toString()));
        for (int left = levels; left > 0; left -= LEVELS_AT_ONCE) {
            command.add("dddddddddd/".repeat(Math.min(left, LEVELS_AT_ONCE)));
        }
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        return root;
    }

    @Test
    void aTreeDeeperThanTheLongestPathAndThanTheOpenLevelsIsRemoved() throws Exception {
        Path root = deepTree("deep", 1000);
        Requests.remove(root);
        assertThat(root).doesNotExist();
    }

    @Test
    void aDirectoryOfManyEntriesIsRemovedWhole() throws Exception {
        Path root = Files.createDirectory(directory.resolve("many"));
        for (int i = 0; i < 20_000; i++) {
            Files.createFile(root.resolve("entry-" + i));
        }
        Requests.remove(root);
        assertThat(root).doesNotExist();
    }

    @Test
    void aCopyRefusesATreeThatIsTooDeepInsteadOfFailingInTheMiddleOfAStack() throws Exception {
        Path root = deepTree("deep", TreeCopy.MAX_DEPTH + 1);
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> Requests.copy(root, directory.resolve("copy")))
                .withMessageContaining("at most 256 levels");
        Path fits = deepTree("fits", TreeCopy.MAX_DEPTH - 1);
        Requests.copy(fits, directory.resolve("fitting"));
        Requests.remove(root);
        Requests.remove(fits);
        Requests.remove(directory.resolve("copy"));
        Requests.remove(directory.resolve("fitting"));
    }

    @Test
    void modesAreCopiedButPlacesOfSparseFilesStayHoles() throws Exception {
        Path source = Files.createDirectory(directory.resolve("source"));
        Path sparse = source.resolve("sparse");
        try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(64L << 20);
            file.seek(32L << 20);
            file.write(new byte[] {1, 2, 3});
        }
        Path program = Files.writeString(source.resolve("program"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-x--x"));
        Path locked = Files.createDirectory(source.resolve("readable"));
        Files.writeString(locked.resolve("inner"), "x");
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-x------"));

        Path copy = directory.resolve("copy");
        Requests.copy(source, copy);

        assertThat(Files.mismatch(sparse, copy.resolve("sparse"))).isEqualTo(-1);
        assertThat(blocks(copy.resolve("sparse"))).isLessThan(8192);
        assertThat(Files.getPosixFilePermissions(copy.resolve("program")))
                .isEqualTo(PosixFilePermissions.fromString("rwxr-x--x"));
        assertThat(Files.getPosixFilePermissions(copy.resolve("readable")))
                .isEqualTo(PosixFilePermissions.fromString("r-x------"));
        assertThat(copy.resolve("readable/inner")).hasContent("x");
    }

    private static long blocks(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes(), UTF_8).strip());
    }

    @Test
    void aFileThatGrowsWhileItIsCopiedIsCopiedAsFarAsItWentAtFirst() throws IOException {
        Path log = Files.writeString(directory.resolve("log"), "x".repeat(5000));
        Path copy = directory.resolve("copy");
        try (RegularFile from = RegularFile.read(log.toString().getBytes(UTF_8), true);
                RegularFile to = RegularFile.replace(copy.toString().getBytes(UTF_8), true)) {
            Files.writeString(log, "y".repeat(10_000), StandardOpenOption.APPEND);
            ContentCopy.copy(from, to);
        }
        assertThat(copy).hasContent("x".repeat(5000));
    }

    @Test
    void filesOfProcAreReadAndCopiedAlthoughTheySayThatTheyAreEmpty() throws IOException {
        Path file = Path.of("/proc/self/limits");
        assertThat(new String(Requests.read(file), UTF_8)).isEqualTo(Files.readString(file));
        Requests.copy(file, directory.resolve("limits"));
        assertThat(directory.resolve("limits")).hasContent(Files.readString(file));
    }

    @Test
    void mountPointsInsideOfATreeAreNotRemoved() throws IOException {
        Path tree = directory.resolve("tree/mounted");
        try (MountedTmpfs _ = MountedTmpfs.at(tree, "size=1m")) {
            Files.writeString(tree.resolve("precious"), "x");
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(() -> Requests.remove(tree.getParent()))
                    .withMessage("refusing to remove `" + tree + "`: a file system is mounted there; unmount it first");
            assertThatExceptionOfType(RpcException.class).isThrownBy(() -> Requests.remove(tree));
            assertThat(tree.resolve("precious")).exists();
        }
    }

    @Test
    void aFullFileSystemIsReportedAsSuch() throws IOException {
        Path small = directory.resolve("small");
        try (MountedTmpfs _ = MountedTmpfs.at(small, "size=1m")) {
            Path big = Files.write(directory.resolve("big"), new byte[4 << 20]);
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(() -> Requests.copy(big, small.resolve("copy")))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(-32603))
                    .withMessage("No space left on device (os error 28)");
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(() -> Requests.write(small.resolve("written"), "x".repeat(4 << 20)))
                    .withMessage("No space left on device (os error 28)");
        }
    }

    @Test
    void aReadOnlyFileSystemIsReportedAsSuch() throws IOException {
        Path fixed = directory.resolve("fixed");
        try (MountedTmpfs _ = MountedTmpfs.at(fixed, "ro")) {
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(() -> Requests.write(fixed.resolve("f"), "x"))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(-32603))
                    .withMessage("Read-only file system (os error 30)");
        }
    }

    @Test
    void linksInCirclesAndNamesThatAreTooLongAreReportedAsSuch() throws IOException {
        Path circle = directory.resolve("circle");
        Files.createSymbolicLink(circle, Path.of("circle"));
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> Requests.read(circle))
                .withMessage("Symbolic link loop (os error 40)");
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> Requests.write(directory.resolve("n".repeat(256)), "x"))
                .withMessage("Filename too long (os error 36)");
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> Requests.read(Path.of("/" + "d/".repeat(4096))))
                .withMessage("Filename too long (os error 36)");
    }

    @Test
    void aDirectoryOfManyEntriesIsWalkedWithTheFirstNamesOfAll() throws IOException {
        Path many = Files.createDirectory(directory.resolve("many"));
        for (int i = 0; i < 12_000; i++) {
            Files.createFile(many.resolve("%05d".formatted(i * 7919 % 12_000)));
        }
        WalkResult result = Requests.walk(many, 100);
        assertThat(result.truncated()).isTrue();
        assertThat(result.entries())
                .extracting(entry -> entry.path().display())
                .containsExactlyElementsOf(IntStream.range(0, 100)
                        .mapToObj(i -> many + "/%05d".formatted(i))
                        .toList());
        assertThat(ReadDirectoryResult.read(Requests.readDirectory(many), Dialect.OPEN)
                        .entries())
                .hasSize(12_000);
    }

    @Test
    void aListOfMoreEntriesThanWhoeverAsksCanTakeIsRefusedInWords() throws Exception {
        for (int i = 0; i < 5; i++) {
            Files.createFile(directory.resolve("f" + i));
        }
        PathUri path = Requests.uri(directory);
        JsonSlice whole = Requests.run(new ReadDirectoryParams(path, Optional.empty(), true, 5));
        assertThat(ReadDirectoryResult.read(whole, Dialect.OPEN).entries()).hasSize(5);
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> Requests.run(new ReadDirectoryParams(path, Optional.empty(), true, 4)))
                .withMessage("directory " + directory
                        + " has more than 4 entries (maxEntries), list it with a program instead");
    }

    @Test
    void namesThatAreNotUtf8ComeBackAsTheBytesThatTheyAre() {
        byte[] name = (directory + "/x?").getBytes(UTF_8);
        name[name.length - 1] = (byte) 0xff;
        PathUri odd = PathUri.ofNative(name);
        try (RegularFile file = RegularFile.replace(odd.bytes(), true)) {
            file.write(new byte[] {7}, 0, 1, 0);
        }
        DirectoryEntry entry = ReadDirectoryResult.read(Requests.readDirectory(directory), Dialect.OPEN)
                .entries()
                .getFirst();
        assertThat(entry.fileName()).isEqualTo("x\uFFFD");
        assertThat(entry.path()).contains(odd);
        assertThat(Requests.walk(directory, 10).entries().getFirst().path()).isEqualTo(odd);
        Requests.run(new ReadFileParams(PathUri.parse(odd.toUri(), Dialect.STRICT), true, Optional.empty()));
        Requests.run(new RemoveParams(odd, false, false, true, Optional.empty()));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aSmallFileInThePageCacheIsReadWithoutWaiting(@TempDir Path disk) throws IOException {
        Path file = Files.writeString(disk.resolve("file"), "content");
        Requests.read(file);
        assertThat(FileOperations.runCached(
                        new ReadFileParams(Requests.uri(file), true, Optional.empty()), DisclosurePolicy.FULL))
                .isPresent();
        Path link = Files.createSymbolicLink(disk.resolve("link"), file);
        assertThat(FileOperations.runCached(
                        new ReadFileParams(Requests.uri(link), false, Optional.empty()), DisclosurePolicy.FULL))
                .isEmpty();
    }
}
