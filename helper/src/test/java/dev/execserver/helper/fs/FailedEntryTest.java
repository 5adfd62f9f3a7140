package dev.execserver.helper.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.execserver.protocol.fs.AppendParams;
import dev.execserver.protocol.fs.RenameParams;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that an error within a tree, or between two paths, names the entry that failed. */
@Timeout(60)
class FailedEntryTest {

    @TempDir
    private Path directory;

    private Path tree;

    private static RpcException failure(ThrowingCallable call) {
        return assertThatExceptionOfType(RpcException.class).isThrownBy(call).actual();
    }

    private static void assertTells(RpcException failure, String message, Path path) {
        assertThat(failure).hasMessage(message);
        assertThat(failure.data().toString()).contains(path.toString());
        assertThat(failure.data().toString()).doesNotContain(path + "/");
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private static void rename(Path from, Path to) {
        Requests.run(new RenameParams(Requests.uri(from), Requests.uri(to), true, Optional.empty()));
    }

    @BeforeEach
    void makeTree() throws IOException {
        tree = directory.resolve("tree");
        Files.createDirectories(tree.resolve("branch/twig"));
        Files.write(tree.resolve("branch/twig/big"), new byte[2 << 20]);
        Files.createSymbolicLink(tree.resolve("branch/link"), Path.of("nowhere"));
    }

    @Test
    void theFileOfTheCopyThatDidNotFitOnTheDiskIsTold() throws IOException {
        try (MountedTmpfs disk = MountedTmpfs.at(directory.resolve("small"), "size=1m")) {
            Path copy = disk.root().resolve("copy");
            RpcException tree = failure(() -> Requests.copy(this.tree, copy));
            assertTells(tree, "No space left on device (os error 28)", copy.resolve("branch/twig/big"));
            Path single = disk.root().resolve("single");
            RpcException file = failure(() -> Requests.copy(this.tree.resolve("branch/twig/big"), single));
            assertTells(file, "No space left on device (os error 28)", single);
        }
    }

    @Test
    void whatIsInTheWayOfACopyIsTold() throws Exception {
        Path copy = directory.resolve("copy");
        Files.createDirectories(copy.resolve("branch/twig/big"));
        assertTells(
                failure(() -> Requests.copy(tree, copy)),
                "Is a directory (os error 21)",
                copy.resolve("branch/twig/big"));

        Path second = directory.resolve("second");
        Files.createDirectories(second.resolve("branch/twig"));
        assertThat(run("mkfifo", second.resolve("branch/twig/big").toString())).isZero();
        assertThat(failure(() -> Requests.copy(tree, second)))
                .hasMessage("path `" + second.resolve("branch/twig/big") + "` is not a file");

        Path third = directory.resolve("third");
        Files.createDirectories(third.resolve("branch"));
        Files.writeString(third.resolve("branch/link"), "a file");
        assertTells(
                failure(() -> Requests.copy(tree, third)), "File exists (os error 17)", third.resolve("branch/link"));

        Path fourth = directory.resolve("fourth");
        Files.createDirectories(fourth);
        Files.writeString(fourth.resolve("branch"), "a file");
        assertTells(
                failure(() -> Requests.copy(tree, fourth)), "Not a directory (os error 20)", fourth.resolve("branch"));
    }

    @Test
    void theLinkThatCannotBeCopiedToItsPlaceIsToldByThatPlace() throws IOException {
        Path place = Files.writeString(directory.resolve("place"), "a file");
        RpcException failure = failure(() -> Requests.copy(tree.resolve("branch/link"), place));
        assertTells(failure, "File exists (os error 17)", place);
    }

    @Test
    void theEntryThatCannotBeRemovedIsTold() throws Exception {
        Path stays = tree.resolve("branch/twig/big");
        assumeThat(run("chattr", "+i", stays.toString()))
                .as("a file system and rights for chattr(1)")
                .isZero();
        try {
            assertTells(failure(() -> Requests.remove(tree)), "Operation not permitted (os error 1)", stays);
        } finally {
            run("chattr", "-i", stays.toString());
        }
    }

    @Test
    void aFileIsNotRenamedToAnotherOfItsNamesWhichWouldLeaveBoth() throws IOException {
        Path first = Files.writeString(directory.resolve("first"), "x");
        Path second = Files.createLink(directory.resolve("second"), first);
        RpcException failure = failure(() -> rename(first, second));
        assertThat(failure)
                .hasMessage("`" + second + "` is another name of the same file, a hard link, and renaming would leave"
                        + " both; remove `" + first + "` instead");
        assertThat(failure.data().toString()).contains("sameFile");
        rename(first, first);
        assertThat(first).hasContent("x");
    }

    @Test
    void aRenamingToAnotherFileSystemSaysWhatToDoInstead() throws IOException {
        try (MountedTmpfs other = MountedTmpfs.at(directory.resolve("other"), "size=1m")) {
            Path there = other.root().resolve("tree");
            RpcException failure = failure(() -> rename(tree, there));
            assertTells(failure, "Cross-device link (os error 18)", tree);
            assertThat(failure.data().toString()).contains(there.toString(), "use fs/copy, then fs/remove");
        }
    }

    @Test
    void howMuchWasAppendedBeforeTheDiskWasFullIsTold() throws IOException {
        try (MountedTmpfs disk = MountedTmpfs.at(directory.resolve("small"), "size=1m")) {
            Path file = Files.writeString(disk.root().resolve("file"), "old");
            Base64Data data = Base64Data.ofBytes(new byte[2 << 20]);
            RpcException failure =
                    failure(() -> Requests.run(new AppendParams(Requests.uri(file), data, true, Optional.empty())));
            assertTells(failure, "No space left on device (os error 28)", file);
            assertThat(failure.data().toString()).contains("written", String.valueOf(Files.size(file) - 3));
        }
    }

    @Test
    void aFileThatWasEmptyAndGrowsWhileItIsCopiedOrSentIsEmpty() throws IOException {
        Path log = Files.createFile(directory.resolve("log"));
        Path copy = directory.resolve("copy");
        try (RegularFile from = RegularFile.read(log.toString().getBytes(UTF_8), true);
                RegularFile to = RegularFile.replace(copy.toString().getBytes(UTF_8), true)) {
            Files.write(log, new byte[3 << 20]);
            ContentCopy.copy(from, to);
            assertThat(copy).isEmptyFile();
            try (FileSource source = FileSource.of(from, log.toString().getBytes(UTF_8))) {
                assertThat(source.size()).isZero();
            }
        }
    }

    @Test
    void aFileOfProcWithoutAnEndIsRefusedAndDoesNotFillTheDisk() throws IOException {
        try (MountedTmpfs disk = MountedTmpfs.at(directory.resolve("disk"), "size=600m")) {
            Path copy = disk.root().resolve("copy");
            assertThat(failure(() -> Requests.copy(Path.of("/proc/self/pagemap"), copy)))
                    .hasMessageContaining("does not tell its size and has more than");
            assertThat(copy).as("its beginning is given back").isEmptyFile();
        }
    }
}
