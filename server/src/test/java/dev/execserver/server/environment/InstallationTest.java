package dev.execserver.server.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InstallationTest {

    @Test
    void aClassKnowsItsJarWhateverItsPathIs() throws Exception {
        assertThat(Installation.jar(
                        Optional.of(URI.create("file:/opt/with%20blank/exec-server.jar")
                                .toURL()),
                        "/app/one.jar:/app/other.jar"))
                .contains(Path.of("/opt/with blank/exec-server.jar"));
    }

    @Test
    void theJarThatWasStartedCountsMoreThanTheFolderInWhichTheStartUpCacheWasMade() throws Exception {
        assertThat(Installation.jar(
                        Optional.of(
                                URI.create("file:/build/dist/exec-server.jar").toURL()),
                        "/opt/exec-server.jar"))
                .contains(Path.of("/opt/exec-server.jar"));
    }

    @Test
    void aClassWithoutAnOriginIsInTheFirstJarOfTheClassPath() {
        assertThat(Installation.jar(Optional.empty(), "/opt/a/exec-server.jar:lib/x.jar"))
                .contains(Path.of("/opt/a/exec-server.jar"));
        assertThat(Installation.jar(Optional.empty(), "")).isEmpty();
    }

    @Test
    void filesBesideTheServerAreNamedWhetherTheyExistOrNot() {
        assertThat(Installation.beside("no-such-file").orElseThrow()).hasFileName("no-such-file");
    }
}
