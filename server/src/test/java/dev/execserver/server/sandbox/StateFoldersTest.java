package dev.execserver.server.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.server.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFoldersTest {
    private final Ledger ledger = Ledger.create();

    @TempDir
    private Path given;

    private Path base;
    private List<Path> places;

    @BeforeEach
    void prepare() throws IOException {
        base = given.toRealPath();
        places = List.of(base.resolve("run/exec-server"), base.resolve("tmp/exec-server-1"));
        Files.createDirectories(base.resolve("run"));
        Files.createDirectories(base.resolve("tmp"));
    }

    @AfterEach
    void close() {
        assertThat(ledger.lines()).isEmpty();
        ledger.close();
    }

    private static void mode(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static void assertRefused(List<Path> places, Optional<Path> wanted, String... parts) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> StateFolders.take(places, wanted).close())
                .satisfies(e -> assertThat(e.getMessage()).contains(parts));
    }

    @Test
    void everyPlaceIsMadeForTheUserAloneAndHidden() throws IOException {
        try (StateFolders folders = StateFolders.take(places, Optional.empty())) {
            assertThat(folders.home()).isEqualTo(places.getFirst()).isEqualTo(folders.common());
            assertThat(folders.hidden()).containsExactlyElementsOf(places);
            for (Path place : places) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
                        .isEqualTo("rwx------");
            }
        }
    }

    @Test
    void allServersUseTheOneThatIsInUse() throws IOException {
        Files.delete(base.resolve("run"));
        try (StateFolders first = StateFolders.take(places, Optional.empty())) {
            assertThat(first.home()).isEqualTo(places.getLast());
            Files.createDirectory(base.resolve("run"));
            try (StateFolders second = StateFolders.take(places, Optional.empty())) {
                assertThat(second.home()).isEqualTo(places.getLast());
                assertThat(first.hidden()).as("also what came later").containsAll(places);
            }
        }
    }

    @Test
    void c50_aFolderThatOthersCanWriteOrReplaceIsNotUsed() throws IOException {
        Files.createDirectory(places.getFirst());
        mode(places.getFirst(), "rwxrwx---");
        mode(base.resolve("tmp"), "rwxrwxrwx");
        assertRefused(
                places,
                Optional.empty(),
                places.getFirst() + ": is writable by others; remove it, or chmod it to 700",
                base.resolve("tmp") + " is writable by others and not sticky",
                "name one with --state-dir");
    }

    @Test
    void c51_aLinkInTheFoldersPlaceIsNotFollowed() throws IOException {
        Path elsewhere = Files.createDirectory(base.resolve("elsewhere"));
        Files.createSymbolicLink(places.getFirst(), elsewhere);
        assertRefused(List.of(places.getFirst()), Optional.empty(), "is no folder that can be used");
        assertRefused(
                List.of(places.getLast()), Optional.of(places.getFirst()), "--state-dir " + places.getFirst() + ": ");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void c52_otherServersHideAStateDirWhileItsServerRuns() throws IOException {
        Path wanted = base.resolve("wanted");
        try (StateFolders other = StateFolders.take(places, Optional.empty())) {
            assertThat(other.hidden()).doesNotContain(wanted);
            try (RuntimeDirectory own =
                    RuntimeDirectory.create(StateFolders.take(places, Optional.of(wanted)), ledger)) {
                assertThat(own.path()).hasParent(wanted);
                assertThat(own.shared()).contains(places.getFirst());
                assertThat(own.hidden()).contains(wanted).containsAll(places);
                assertThat(other.hidden()).contains(wanted);
                assertThat(ledger.lines()).hasSize(2).allMatch(line -> line.startsWith("+F "));
            }
            assertThat(other.hidden()).doesNotContain(wanted);
        }
    }

    @Test
    void whatAKilledServerHasLeftIsRemovedAndWhatALivingOneHasIsNot() throws IOException {
        Path dead = Files.createDirectories(places.getFirst().resolve("exec-server-dead/sub"));
        Files.createSymbolicLink(dead.resolve("link"), base);
        mode(places.getFirst(), "rwx------");
        try (RuntimeDirectory one = RuntimeDirectory.create(StateFolders.take(places, Optional.empty()), ledger)) {
            assertThat(dead.getParent()).doesNotExist();
            try (RuntimeDirectory two = RuntimeDirectory.create(StateFolders.take(places, Optional.empty()), ledger)) {
                assertThat(one.path()).isDirectory();
                assertThat(two.path()).isDirectory().isNotEqualTo(one.path());
            }
            assertThat(one.path()).isDirectory();
        }
        assertThat(places.getLast()).exists();
    }
}
