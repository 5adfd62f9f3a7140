package dev.execserver.helper.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.sandbox.linux.AttributeCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that users who could not read a file cannot read its replacement, for every way of replacing it. */
class AccessListTest {

    private static final String DEFAULT_LIST = "system.posix_acl_default";

    // Entry tags and the undefined id of linux/posix_acl.h and posix_acl_xattr.h.
    private static final int OWNER = 1;
    private static final int USER = 2;
    private static final int GROUP = 4;
    private static final int MASK = 0x10;
    private static final int OTHERS = 0x20;
    private static final int SOMEBODY = 1000;

    @TempDir
    private Path directory;

    private Path file;

    /**
     * Returns a list that lets one user beside the owner read and write. The group may not, although the group bits of
     * the mode say so.
     */
    private static byte[] letsSomebodyIn() {
        ByteBuffer list = ByteBuffer.allocate(4 + 5 * 8).order(ByteOrder.LITTLE_ENDIAN);
        list.putInt(2);
        entry(list, OWNER, 6, -1);
        entry(list, USER, 6, SOMEBODY);
        entry(list, GROUP, 0, -1);
        entry(list, MASK, 6, -1);
        entry(list, OTHERS, 0, -1);
        return list.array();
    }

    private static void entry(ByteBuffer list, int kind, int permissions, int id) {
        list.putShort((short) kind).putShort((short) permissions).putInt(id);
    }

    private static Fd open(Path path) {
        return Opener.open(path.toString().getBytes(UTF_8), FileCalls.O_RDONLY, 0, true);
    }

    private static Optional<byte[]> list(Path path) {
        try (Fd fd = open(path)) {
            return AttributeCalls.get(fd, AttributeCalls.ACCESS_LIST);
        }
    }

    private static void give(Path path, String name) {
        try (Fd fd = open(path)) {
            AttributeCalls.set(fd, name, letsSomebodyIn());
        }
    }

    private static void writeAtomically(Path path) {
        Base64Data data = Base64Data.ofBytes("new".getBytes(UTF_8));
        Requests.run(new WriteFileParams(Requests.uri(path), data, true, Optional.empty(), true, Optional.empty()));
    }

    private static void upload(Path path) {
        try (FileReplacement sink = FileReplacement.open(path.toString().getBytes(UTF_8), FileCondition.NONE)) {
            sink.write("new".getBytes(UTF_8), 3);
            sink.commit();
        }
    }

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.writeString(directory.resolve("file"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    }

    @Test
    void theListOfAFileIsKeptByAnAtomicWrite() throws IOException {
        give(file, AttributeCalls.ACCESS_LIST);
        writeAtomically(file);
        assertThat(file).hasContent("new");
        assertThat(list(file)).contains(letsSomebodyIn());
    }

    @Test
    void theListOfAFileIsKeptByAnUpload() throws IOException {
        give(file, AttributeCalls.ACCESS_LIST);
        upload(file);
        assertThat(file).hasContent("new");
        assertThat(list(file)).contains(letsSomebodyIn());
    }

    @Test
    void aFileWithoutAListGetsNoneFromItsDirectory() throws IOException {
        give(directory, DEFAULT_LIST);
        writeAtomically(file);
        assertThat(list(file)).isEmpty();
        upload(file);
        assertThat(list(file)).isEmpty();
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
    }

    @Test
    void aNewFileGetsTheListThatItsDirectoryHasForNewFiles() {
        give(directory, DEFAULT_LIST);
        Path fresh = directory.resolve("fresh");
        writeAtomically(fresh);
        assertThat(list(fresh)).isPresent();
    }
}
