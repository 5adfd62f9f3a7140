package dev.execserver.server.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.secret.SecretPermissions.Content;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretPermissionsTest {
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
    void aFileThatIsNotThereIsNoBusinessOfThis() {
        assertThat(SecretPermissions.warnings("--config", folder.resolve("missing"), Content.SETTINGS))
                .isEmpty();
    }
}
