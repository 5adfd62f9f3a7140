package dev.execserver.helper.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.fs.AppendParams;
import dev.execserver.protocol.fs.Expectation;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.RenameParams;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code atomic} and {@code expect} of {@code fs/writeFile}, and the other additions that write. */
@Timeout(60)
class ConditionalWriteTest {

    @TempDir
    private Path directory;

    private static void write(Path path, String content, boolean atomic, Expectation... expected) {
        Requests.run(new WriteFileParams(
                Requests.uri(path),
                Base64Data.ofBytes(content.getBytes(UTF_8)),
                true,
                Optional.empty(),
                atomic,
                Stream.of(expected).findFirst()));
    }

    private static Expectation.Sha256 sha256(String content) {
        try {
            return new Expectation.Sha256(HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8))));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anAtomicWriteKeepsModeAndOwnerAndLeavesNothingElse() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-x--x"));
        Files.setAttribute(file, "unix:uid", 65534);
        Object inode = Files.getAttribute(file, "unix:ino");

        write(file, "new", true);

        assertThat(file).hasContent("new");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-r-x--x"));
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(65534);
        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(inode);
        assertThat(Files.list(directory)).containsExactly(file);
    }

    @Test
    void anAtomicWriteGoesThroughALinkEvenToWhereNothingIsYet() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("target"));
        write(link, "first", true);
        write(link, "second", true);
        assertThat(link).isSymbolicLink();
        assertThat(directory.resolve("target")).hasContent("second");
    }

    @Test
    void aReaderBesideAtomicWritesSeesOneContentOrTheOther() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "a".repeat(300_000));
        AtomicBoolean over = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; !over.get(); i++) {
                write(file, (i % 2 == 0 ? "b" : "a").repeat(300_000), true);
            }
        });
        try {
            for (int i = 0; i < 200; i++) {
                String content = Files.readString(file);
                assertThat(content).hasSize(300_000);
                assertThat(content.chars().distinct().count()).isEqualTo(1);
            }
        } finally {
            over.set(true);
            writer.join();
        }
    }

    @Test
    void nothingIsSeenOfAnAtomicWriteBeforeItIsCompleteNotEvenWhenTheServerIsKilledThen() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "old");
        try (ResolvedPlace target = ResolvedPlace.of(file.toString().getBytes(UTF_8), true);
                AtomicFile fresh = AtomicFile.at(target, OptionalInt.empty())) {
            fresh.write("new".getBytes(UTF_8), 0, 3);
            assertThat(Files.list(directory)).containsExactly(file);
            assertThat(file).hasContent("old");
            fresh.commit();
            assertThat(Files.list(directory)).containsExactly(file);
            assertThat(file).hasContent("new");
        }
    }

    @Test
    void aFullFileSystemLeavesTheOldFileWholeWhenTheWriteIsAtomic() throws Exception {
        try (MountedTmpfs disk = MountedTmpfs.at(directory.resolve("small"), "size=1m")) {
            Path small = disk.root();
            Path file = small.resolve("file");
            write(file, "old", true);
            assertThatExceptionOfType(RpcException.class)
                    .isThrownBy(() -> write(file, "x".repeat(2 << 20), true))
                    .withMessage("No space left on device (os error 28)");
            assertThat(file).hasContent("old");
            assertThat(Files.list(small)).containsExactly(file);
            assertThatExceptionOfType(RpcException.class).isThrownBy(() -> write(file, "x".repeat(2 << 20), false));
            assertThat(Files.size(file)).isPositive().isLessThan(2 << 20);
        }
    }

    @Test
    void aWriteHappensOnlyWhenTheFileIsAsExpected() throws IOException {
        Path file = directory.resolve("file");
        for (boolean atomic : List.of(true, false)) {
            write(file, "one", atomic, new Expectation.Absent());
            refused(file, atomic, new Expectation.Absent(), "absent");
            write(file, "two", atomic, sha256("one"));
            refused(file, atomic, sha256("one"), "sha256");
            long modified = Files.getLastModifiedTime(file).toMillis();
            refused(file, atomic, new Expectation.ModifiedAt(modified - 1), "mtimeMs");
            assertThat(file).hasContent("two");
            write(file, "three", atomic, new Expectation.ModifiedAt(modified));
            assertThat(file).hasContent("three");
            Files.delete(file);
            refused(file, atomic, sha256("three"), "absent");
            assertThat(directory).isEmptyDirectory();
        }
    }

    private static void refused(Path file, boolean atomic, Expectation expected, String member) {
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> write(file, "wrong", atomic, expected))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(-32600);
                    assertThat(e.data().orElseThrow().members())
                            .containsEntry("reason", "conflict")
                            .containsKey(member);
                });
    }

    @Test
    void ofManyWritersThatExpectTheSameExactlyOneSucceeds() throws Exception {
        for (boolean atomic : List.of(true, false)) {
            Path file = directory.resolve("file");
            for (Expectation expected : List.of(new Expectation.Absent(), sha256("start"))) {
                if (expected instanceof Expectation.Sha256) {
                    Files.writeString(file, "start");
                }
                AtomicInteger winners = new AtomicInteger();
                List<Thread> writers = IntStream.range(0, 8)
                        .mapToObj(i -> Thread.ofPlatform().start(() -> {
                            try {
                                write(file, "writer " + i, atomic, expected);
                                winners.incrementAndGet();
                            } catch (RpcException e) {
                                assertThat(e.data().orElseThrow().members()).containsEntry("reason", "conflict");
                            }
                        }))
                        .toList();
                for (Thread writer : writers) {
                    writer.join();
                }
                assertThat(winners).hasValue(1);
                Files.delete(file);
            }
        }
    }

    @Test
    void aRenameReplacesOnlyWhenTold() throws IOException {
        Path from = Files.writeString(directory.resolve("from"), "new");
        Path to = Files.writeString(directory.resolve("to"), "old");
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() ->
                        Requests.run(new RenameParams(Requests.uri(from), Requests.uri(to), false, Optional.empty())))
                .withMessage("File exists (os error 17)");
        Requests.run(new RenameParams(Requests.uri(from), Requests.uri(to), true, Optional.empty()));
        assertThat(to).hasContent("new");
        assertThat(from).doesNotExist();
    }

    @Test
    void anAppendAddsBehindTheEndAndMakesTheFile() throws IOException {
        Path file = directory.resolve("file");
        for (String part : List.of("one ", "two")) {
            Base64Data data = Base64Data.ofBytes(part.getBytes(UTF_8));
            Requests.run(new AppendParams(Requests.uri(file), data, true, Optional.empty()));
        }
        assertThat(file).hasContent("one two");
    }

    @Test
    void theTextOfALinkThatLeadsToAnOpenFileIsNotFollowed() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "old");
        Process holder =
                new ProcessBuilder("sleep", "60").redirectInput(file.toFile()).start();
        try {
            Path magic = Path.of("/proc/" + holder.pid() + "/fd/0");
            Path link = Files.createSymbolicLink(directory.resolve("link"), magic);
            for (Path path : List.of(magic, link)) {
                for (boolean atomic : List.of(true, false)) {
                    assertThatExceptionOfType(RpcException.class)
                            .as("%s, atomic: %s", path, atomic)
                            .isThrownBy(() -> write(path, "new", atomic))
                            .withMessageContaining("os error 40");
                }
            }
            assertThat(file).hasContent("old");
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void aSlashBehindTheNameOfAFileMeansNothing() throws IOException {
        Path file = directory.resolve("file");
        for (boolean atomic : new boolean[] {false, true}) {
            String content = "atomic: " + atomic;
            PathUri slash = PathUri.ofNative(file + "/");
            Base64Data data = Base64Data.ofBytes(content.getBytes(UTF_8));
            Requests.run(new WriteFileParams(slash, data, true, Optional.empty(), atomic, Optional.empty()));
            assertThat(file).hasContent(content);
            Requests.run(new ReadFileParams(slash, true, Optional.empty()));
        }
    }
}
