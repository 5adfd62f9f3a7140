package dev.execserver.sandbox.pin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.paths.LinuxPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the decision which programs are trusted at the start. */
class SystemPlacesTest {
    private final SystemPlaces ofRoot = new SystemPlaces(true, path -> true);
    private final SystemPlaces ofUser = new SystemPlaces(false, path -> false);

    @TempDir
    private Path directory;

    private static LinuxPath path(Object path) {
        return LinuxPath.of(path.toString());
    }

    @Test
    void programsOfTheSystemAreTrusted() {
        assertThat(ofRoot.fault(path("/usr/bin/env"))).isEmpty();
        assertThat(ofRoot.fault(path("/bin/sh"))).isEmpty();
    }

    @Test
    void rootDoesNotTrustWhatLiesWhereItsCommandsWork() throws IOException {
        Path program = Files.createFile(directory.resolve("rg"));
        assertThat(ofRoot.fault(path(program)).orElseThrow())
                .contains(program + " lies outside of the folders of the system");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("/usr/bin/env"));
        assertThat(ofRoot.fault(path(link))).isPresent();
    }

    @Test
    void aFileOrFolderThatOthersMayWriteIsNotTrusted() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("bin"));
        Path program = Files.createFile(folder.resolve("rg"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));

        assertThat(fault(program)).contains(folder + " can be written by others than root");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xrwx"));
        assertThat(fault(program)).contains(program + " can be written by others than root");
    }

    @Test
    void whatBelongsToAnotherUserIsNotTrusted() throws IOException {
        Path program = Files.createFile(directory.resolve("rg"));
        Files.setAttribute(program, "unix:uid", 12345);

        assertThat(fault(program)).contains(program + " belongs to user 12345, not to root");
    }

    @Test
    void everyLinkOnTheWayCounts() throws IOException {
        Path outer = Files.createSymbolicLink(directory.resolve("outer"), Path.of("inner"));
        Path inner = Files.createSymbolicLink(directory.resolve("inner"), Path.of("/usr/bin/env"));
        Files.setAttribute(inner, "unix:uid", 12345, LinkOption.NOFOLLOW_LINKS);

        assertThat(fault(outer)).contains(inner + " belongs to user 12345, not to root");
    }

    @Test
    void aCircleOfLinksHasAnEnd() throws IOException {
        Path circle = Files.createSymbolicLink(directory.resolve("circle"), Path.of("circle"));
        assertThat(fault(circle)).contains("too many links");
    }

    @Test
    void whatIsNotThereIsNotTrusted() {
        assertThat(ofRoot.fault(path("/usr/bin/no-such-program"))).isPresent();
    }

    @Test
    void aListOfRightsThatLetsTheServerWriteIsNoticed() {
        SystemPlaces listed = new SystemPlaces(false, path("/usr/bin")::equals);
        assertThat(listed.fault(path("/usr/bin/env")).orElseThrow())
                .isEqualTo("/usr/bin can be written by the user of this server");
        assertThat(ofUser.fault(path("/usr/bin/env"))).isEmpty();
    }

    /** Returns the fault for an ordinary user who may not write any of it. */
    private String fault(Path program) {
        Optional<String> fault = ofUser.fault(path(program));
        return fault.orElseThrow();
    }
}
