package dev.execserver.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCallsTest {
    @TempDir
    private Path directory;

    @Test
    void statusAgreesWithTheJdk() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "12345");
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2020-02-03T04:05:06.123456789Z")));

        FileStatus status = FileCalls.status(bytes(file), true);

        assertThat(status.regular()).isTrue();
        assertThat(status.size()).isEqualTo(5);
        assertThat(status.modifiedNs())
                .isEqualTo(Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS));
        assertThat(status.mode()).isEqualTo(Files.getAttribute(file, "unix:mode"));
        assertThat(status.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
        status.bornNs().ifPresent(born -> assertThat(born).isPositive());
        assertThat(FileCalls.status(bytes(directory), true).directory()).isTrue();
    }

    @Test
    void aLinkIsFollowedOrDescribedAsAsked() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("nowhere"));

        assertThat(FileCalls.status(bytes(link), false).symbolicLink()).isTrue();
        assertThat(FileCalls.status(bytes(link), false).size())
                .isEqualTo(Files.readAttributes(
                                link, java.nio.file.attribute.BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .size());
        assertThatThrownBy(() -> FileCalls.status(bytes(link), true))
                .hasMessage("statx " + link + ": No such file or directory (os error 2)");
    }

    @Test
    void namesNeedNotBeText() {
        byte[] name = (directory + "/x").getBytes(StandardCharsets.UTF_8);
        name[name.length - 1] = (byte) 0xff;

        FileCalls.open(name, FileCalls.O_RDWR | 0100, 0600).close();

        assertThat(FileCalls.status(name, true).size()).isZero();
    }

    @Test
    void executableSaysWhatExecveWouldSay() throws Exception {
        Path plain = Files.writeString(directory.resolve("plain"), "");
        Path program = Files.writeString(directory.resolve("program"), "");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("r-xr-xr-x"));

        assertThat(FileCalls.executable(bytes(program))).isZero();
        assertThat(FileCalls.executable(bytes(plain))).isEqualTo(Errno.EACCES);
        assertThat(FileCalls.executable(bytes(directory))).isEqualTo(Errno.EACCES);
        assertThat(FileCalls.executable(bytes(directory.resolve("none")))).isEqualTo(Errno.ENOENT);
        assertThat(FileCalls.executable(bytes(plain.resolve("below")))).isEqualTo(Errno.ENOTDIR);
        assertThat(FileCalls.executable("x".repeat(5000).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(Errno.ENAMETOOLONG);
    }

    @Test
    void openat2RefusesLinksWhenTold() throws Exception {
        Path target = Files.writeString(directory.resolve("target"), "");
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);

        FileCalls.openat2(FileCalls.AT_FDCWD, bytes(link), FileCalls.O_RDONLY, 0, 0)
                .close();
        assertThatThrownBy(() -> FileCalls.openat2(
                        FileCalls.AT_FDCWD, bytes(link), FileCalls.O_RDONLY, 0, FileCalls.RESOLVE_NO_SYMLINKS))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ELOOP));
    }

    @Test
    void aNulByteInAPathIsRefused() {
        assertThatThrownBy(() -> FileCalls.status(new byte[] {'a', 0, 'b'}, true))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }
}
