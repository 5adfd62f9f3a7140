package dev.execserver.cli.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.execserver.cli.secret.SecretPermissions.Content;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretPermissionsTest {
    private static final int STRANGER = 4711;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void make() throws Exception {
        file = Files.writeString(folder.resolve("secret"), "s3cret");
    }

    private List<String> warnings(String mode, Content content) throws Exception {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return SecretPermissions.warnings("--ws-token-file", file, content);
    }

    @Test
    void c114_aSecretThatEverybodyMayReadIsNamedWithItsMode() throws Exception {
        assertThat(warnings("rw-r--r--", Content.SECRET))
                .singleElement()
                .asString()
                .startsWith("--ws-token-file " + file + " is a secret")
                .contains("mode 0644", "chmod 600");
    }

    @Test
    void c114_aFileThatEverybodyMayWriteIsNamedWhateverItHolds() throws Exception {
        assertThat(warnings("rw-rw-rw-", Content.SECRET)).hasSize(2).allMatch(text -> text.contains("0666"));
        assertThat(warnings("rw-rw-rw-", Content.SETTINGS))
                .singleElement()
                .asString()
                .contains("can be changed by every user");
        assertThat(warnings("rw-rw----", Content.SETTINGS))
                .singleElement()
                .asString()
                .contains("by its group");
    }

    @Test
    void whatIsRightBringsNoWarning() throws Exception {
        assertThat(warnings("rw-------", Content.SECRET)).isEmpty();
        assertThat(warnings("r--r-----", Content.SECRET)).isEmpty();
        assertThat(warnings("rw-r--r--", Content.SETTINGS)).isEmpty();
    }

    @Test
    void c114_aFolderThatEverybodyMayWriteIsNamed() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        file = Files.writeString(open.resolve("secret"), "s3cret");
        assertThat(warnings("rw-------", Content.SECRET))
                .singleElement()
                .asString()
                .contains("can be replaced by every user of this machine, because " + open + " has mode 0777");
    }

    @Test
    void c114_aLinkInAFolderThatEverybodyMayWriteIsNamed() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path link = Files.createSymbolicLink(open.resolve("link"), file);
        Path second = Files.createSymbolicLink(folder.resolve("second"), Path.of("open/../open/link"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        for (Path way : List.of(link, second)) {
            assertThat(SecretPermissions.warnings("--ws-token-file", way, Content.SECRET))
                    .singleElement()
                    .asString()
                    .startsWith("--ws-token-file " + way + " can be replaced by every user")
                    .contains("because " + open + " has mode 0777", "chmod o-w");
        }
    }

    @Test
    void c114_aFolderOrALinkOfAnotherUserIsNamed() throws Exception {
        assumeTrue(ProcessCalls.effectiveUser() == 0, "giving files away needs root");
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        file = Files.writeString(Files.createDirectory(theirs.resolve("mine")).resolve("secret"), "s3cret");
        Files.setAttribute(theirs, "unix:uid", STRANGER);
        Files.setAttribute(link, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
        assertThat(warnings("rw-------", Content.SECRET))
                .singleElement()
                .asString()
                .contains("can be replaced by another user: " + theirs + " belongs to user " + STRANGER);
        file = link;
        assertThat(warnings("rw-------", Content.SETTINGS))
                .singleElement()
                .asString()
                .contains("can be replaced by another user: " + link + " is a link of user " + STRANGER);
    }

    @Test
    void ofAFileWithCommandsItMustBeCertainWhoCanChangeIt() throws Exception {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxr-x"));
        file = Files.writeString(shared.resolve("config"), "");
        assertThat(warnings("rw-------", Content.SETTINGS)).isEmpty();
        assertThat(warnings("rw-------", Content.COMMANDS))
                .singleElement()
                .asString()
                .isEqualTo(
                        "--ws-token-file %s can be replaced by the group of %s, which has mode 0775; chmod g-w makes that right"
                                .formatted(file, shared));

        Path throughAFile = file.resolve("below");
        assertThat(SecretPermissions.warnings("the file", throughAFile, Content.SETTINGS))
                .isEmpty();
        for (Path unknown : List.of(throughAFile, folder.resolve("missing"))) {
            assertThat(SecretPermissions.warnings("the file", unknown, Content.COMMANDS))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "the file " + unknown + " names commands, and it cannot be found out who can change it: ");
        }
    }

    @Test
    void aFileThatIsNotThereIsNoBusinessOfThis() {
        assertThat(SecretPermissions.warnings("--config", folder.resolve("missing"), Content.SETTINGS))
                .isEmpty();
    }
}
