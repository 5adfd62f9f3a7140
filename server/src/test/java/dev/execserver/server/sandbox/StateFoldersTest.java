package dev.execserver.server.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFoldersTest {
    private static final int STRANGER = 4711;

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
            assertThat(folders.home()).isEqualTo(places.getFirst());
            assertThat(folders.hidden()).containsExactlyElementsOf(places);
            for (Path place : places) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
                        .isEqualTo("rwx------");
            }
        }
    }

    @Test
    void aFolderThatCameLaterIsHiddenByServersOfBefore() throws IOException {
        Files.delete(base.resolve("run"));
        try (StateFolders first = StateFolders.take(places, Optional.empty())) {
            assertThat(first.home()).isEqualTo(places.getLast());
            Files.createDirectory(base.resolve("run"));
            try (StateFolders second = StateFolders.take(places, Optional.empty())) {
                assertThat(second.home()).isEqualTo(places.getFirst());
                assertThat(first.hidden()).containsAll(places);
            }
        }
    }

    @Test
    void c52_oneFolderInCommonIsEnoughForAStateDirToBeHidden() throws IOException {
        Files.delete(base.resolve("run"));
        Path wanted = base.resolve("wanted");
        try (StateFolders before = StateFolders.take(places, Optional.empty())) {
            Files.createDirectory(base.resolve("run"));
            try (RuntimeDirectory _ = RuntimeDirectory.create(StateFolders.take(places, Optional.of(wanted)), ledger)) {
                assertThat(before.hidden()).contains(wanted);
            }
        }
    }

    @Test
    void c54_aLockOfACommandDoesNotChooseTheFolder() throws IOException {
        Files.createDirectory(places.getLast());
        mode(places.getLast(), "rwx------");
        try (Fd open =
                FileCalls.open(StateFolder.bytes(places.getLast()), FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0)) {
            assertThat(EntryCalls.tryLockExclusive(open)).isTrue();
            try (StateFolders folders = StateFolders.take(places, Optional.empty())) {
                assertThat(folders.home()).isEqualTo(places.getFirst());
                assertThat(folders.hidden()).containsAll(places);
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
    void aStateDirIsMadeWithItsParentsForNobodyElse() throws IOException {
        Path wanted = base.resolve("a/b/c");
        try (StateFolders folders = StateFolders.take(places, Optional.of(wanted))) {
            assertThat(folders.home()).isEqualTo(wanted);
        }
        for (Path made = wanted; !made.equals(base); made = made.getParent()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void nothingIsMadeBelowWhatOthersCouldReplace() throws IOException {
        Path loose = Files.createDirectories(base.resolve("loose/inner"));
        mode(base.resolve("loose"), "rwxrwxrwx");

        assertRefused(
                places,
                Optional.of(loose.resolve("a/b")),
                "--state-dir " + loose.resolve("a/b") + ": " + base.resolve("loose") + " is writable by others");

        assertThat(loose).isEmptyDirectory();
    }

    @Test
    void nothingIsMadeThroughALinkOfAnotherUser() throws IOException {
        assumeTrue(ProcessCalls.effectiveUser() == 0, "giving links away needs root");
        Path target = Files.createDirectory(base.resolve("target"));
        Path link = Files.createSymbolicLink(base.resolve("link"), target);
        try (StateFolders mine = StateFolders.take(places, Optional.of(link.resolve("mine")))) {
            assertThat(mine.home()).as("a link of ones own").isEqualTo(target.resolve("mine"));
        }
        Files.delete(target.resolve("mine"));
        Files.setAttribute(link, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);

        for (String below : List.of("a", "a/b")) {
            assertRefused(
                    places,
                    Optional.of(link.resolve(below)),
                    link + " is a link of user " + STRANGER + ", who could let it lead elsewhere");
        }
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void nothingIsMadeInAFolderOfAnotherUser() throws IOException {
        assumeTrue(ProcessCalls.effectiveUser() == 0, "giving folders away needs root");
        Path theirs = Files.createDirectories(base.resolve("theirs/inner"));
        Files.setAttribute(base.resolve("theirs"), "unix:uid", STRANGER);

        assertRefused(
                places,
                Optional.of(theirs.resolve("a")),
                base.resolve("theirs") + " belongs to user " + STRANGER + ", who could replace it");

        assertThat(theirs).isEmptyDirectory();
    }

    @Test
    void aStateDirThatIsAFileIsRefused() throws IOException {
        Path file = Files.createFile(base.resolve("file"));
        assertRefused(places, Optional.of(file), "is no folder that can be used: Not a directory (os error 20)");
        assertRefused(places, Optional.of(file.resolve("a")), "cannot be made: ", "Not a directory");
        assertRefused(places, Optional.of(file.resolve("a/b")), "cannot be made: ", "Not a directory");
    }

    @Test
    void c52_otherServersHideAStateDirWhileItsServerRuns() throws IOException {
        Path wanted = base.resolve("wanted");
        try (StateFolders other = StateFolders.take(places, Optional.empty())) {
            assertThat(other.hidden()).doesNotContain(wanted);
            try (RuntimeDirectory own =
                    RuntimeDirectory.create(StateFolders.take(places, Optional.of(wanted)), ledger)) {
                assertThat(own.path()).hasParent(wanted);
                assertThat(own.hidden()).contains(wanted).containsAll(places);
                assertThat(other.hidden()).contains(wanted);
                assertThat(ledger.lines()).hasSize(3).allMatch(line -> line.startsWith("+F "));
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
