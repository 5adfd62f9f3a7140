package dev.execserver.sandbox.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.resolve.FileId;
import dev.execserver.sandbox.resolve.Found;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.PolicyRefusedException;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("B35: placeholders on the host")
class PlaceholdersTest extends PlaceholderScene {
    @Test
    void protectedNamesAreDirectoriesAndOthersFiles() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            try (Placeholders.Lease lease = placeholders.acquire(missing(".git", "m"))) {
                assertThat(workspace.resolve(".git")).isEmptyDirectory();
                assertThat(workspace.resolve("m")).isEmptyFile();
            }
            assertThat(workspace).isEmptyDirectory();
        }
    }

    @Test
    void aDirectoryThatWasRemovedIsMadeAnewWithWhatIsInUse() throws IOException {
        Path directory = serverDirectory("exec-server-1");
        try (Placeholders placeholders = Placeholders.open(directory);
                Placeholders.Lease lease = placeholders.acquire(missing(".git"))) {
            placeholders.ensureDirectory();
            Files.delete(directory.resolve(PlaceholderJournal.NAME));
            Files.delete(directory);

            assertThatThrownBy(placeholders::ensureDirectory)
                    .isInstanceOf(Placeholders.ChangedException.class)
                    .hasMessageContaining(directory + " of the server was removed");
            placeholders.ensureDirectory();
            assertThat(PlaceholderJournal.leftBehind(directory.resolve(PlaceholderJournal.NAME)))
                    .containsOnlyKeys(LinuxPath.of(workspace.resolve(".git").toString()));
            Files.delete(directory.resolve(PlaceholderJournal.NAME));
        }
        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void somethingElseInThePlaceOfTheDirectoryIsNotTaken() throws IOException {
        Path directory = serverDirectory("exec-server-1");
        try (Placeholders placeholders = Placeholders.open(directory)) {
            Files.delete(directory.resolve(PlaceholderJournal.NAME));
            Files.delete(directory);
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwxrwx")));
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

            assertThatThrownBy(placeholders::ensureDirectory)
                    .isInstanceOf(PolicyRefusedException.class)
                    .hasMessageContaining("something else has its name; restart the server");
        }
    }

    @Test
    void lastUserTakesThemAway() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            Placeholders.Lease first = placeholders.acquire(missing(".git"));
            Placeholders.Lease second = placeholders.acquire(missing(".git"));
            first.close();
            first.close();
            assertThat(workspace.resolve(".git")).exists();
            second.close();
            assertThat(workspace).isEmptyDirectory();
            assertThat(placeholders.count()).isZero();
        }
    }

    @Test
    void whereTheKernelMakesNothingNothingIsNeeded() throws IOException {
        LinuxPath git = LinuxPath.of("/proc/.git");
        ResolvedPolicy policy =
                policy(List.of(new Rule(git, Access.READ, Rule.Origin.PROTECTED_NAME, new Found.Missing(git))));
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"));
                Placeholders.Lease lease = placeholders.acquire(policy)) {
            assertThat(lease.impossible(git)).isTrue();
        }
    }

    @Test
    void whatDependsOnADirectoryThatIsGoneAsksForAnotherLook() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            assertThatThrownBy(() -> placeholders.acquire(missing("gone/.git")))
                    .isInstanceOf(Placeholders.ChangedException.class)
                    .hasMessageContaining("went away");
        }
    }

    @Test
    void theUserMayWriteIntoOneAndOnceFilledItLosesItsMark() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            Path git = workspace.resolve(".git");
            try (Placeholders.Lease _ = placeholders.acquire(missing(".git", "file"))) {
                assertThat((int) Files.getAttribute(git, "unix:mode") & 07777).isEqualTo(01755);
                assertThat((int) Files.getAttribute(workspace.resolve("file"), "unix:mode") & 07777)
                        .isEqualTo(01644);
                Files.writeString(git.resolve("HEAD"), "ref: refs/heads/main");
            }
            assertThat((int) Files.getAttribute(git, "unix:mode") & 07777).isEqualTo(0755);
            assertThat(git.resolve("HEAD")).exists();
            assertThat(workspace.resolve("file")).doesNotExist();
        }
    }

    @Test
    void whatSomebodyHasFilledStays() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            Placeholders.Lease lease = placeholders.acquire(missing(".git", "m"));
            Files.writeString(workspace.resolve(".git/HEAD"), "ref");
            Files.delete(workspace.resolve("m"));
            Files.writeString(workspace.resolve("m"), "mine");
            lease.close();
            assertThat(workspace.resolve(".git/HEAD")).exists();
            assertThat(workspace.resolve("m")).hasContent("mine");
        }
    }

    @Test
    void anotherEmptyObjectInItsPlaceStays() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            Placeholders.Lease lease = placeholders.acquire(missing(".git"));
            Files.move(workspace.resolve(".git"), workspace.resolve("moved"));
            Files.createDirectory(workspace.resolve(".git"));
            lease.close();
            assertThat(workspace.resolve(".git")).isEmptyDirectory();
        }
    }

    @Test
    void oneThatSomebodyHasRemovedIsMadeAnewForTheNextCommand() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            Placeholders.Lease first = placeholders.acquire(missing(".git"));
            Files.delete(workspace.resolve(".git"));
            Placeholders.Lease second = placeholders.acquire(missing(".git"));
            assertThat(workspace.resolve(".git")).isEmptyDirectory();
            first.close();
            assertThat(workspace.resolve(".git")).as("still used").isEmptyDirectory();
            second.close();
            assertThat(workspace).isEmptyDirectory();
        }
    }

    @Test
    void whatIsNamedTwiceIsCountedOnce() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            placeholders.acquire(missing(".git", ".git")).close();
            assertThat(workspace).isEmptyDirectory();
        }
    }

    @Test
    void namesGoBeforeWhatTheyNamedIsGivenUp() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"));
                Placeholders.Lease lease = placeholders.acquire(missing(".git", "m"))) {
            lease.giveBack();
            assertThat(workspace).isEmptyDirectory();
            assertThat(placeholders.count()).isZero();
        }
    }

    @Test
    void anEmptyDirectoryOfTheUserIsNoPlaceholder() throws IOException {
        Path git = Files.createDirectory(
                workspace.resolve(".git"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            placeholders.acquire(found(git)).close();
            assertThat(placeholders.count()).isZero();
        }
        assertThat(git).isEmptyDirectory();
    }

    @Test
    void objectThatAppearedMeanwhileAsksForAnotherLook() throws IOException {
        try (Placeholders placeholders = Placeholders.open(serverDirectory("exec-server-1"))) {
            ResolvedPolicy stale = missing("a", ".git");
            Files.createDirectory(workspace.resolve(".git"));
            assertThatThrownBy(() -> placeholders.acquire(stale)).isInstanceOf(Placeholders.ChangedException.class);
            assertThat(workspace.resolve("a")).doesNotExist();
            assertThat(workspace.resolve(".git")).exists();
        }
    }

    @Test
    void nextServerFindsWhatAKilledOneHasLeft() throws IOException {
        Path dead = serverDirectory("exec-server-1");
        Path odd = workspace.resolve("a b\n\\0ö");
        Files.createFile(odd);
        Path filled = Files.createDirectory(workspace.resolve(".git"));
        Files.createFile(filled.resolve("HEAD"));
        Path gone = workspace.resolve(".codex");
        Files.createFile(dead.resolve("blank"));
        try (PlaceholderJournal journal = PlaceholderJournal.create(dead)) {
            for (Path path : List.of(odd, filled)) {
                journal.created(Map.of(
                        LinuxPath.of(path.toString()), new FileId(0, (Long) Files.getAttribute(path, "unix:ino"))));
            }
            journal.intend(List.of(LinuxPath.of(gone.toString())));
        }

        Placeholders.open(serverDirectory("exec-server-2")).close();
        assertThat(odd).doesNotExist();
        assertThat(filled.resolve("HEAD")).exists();
        assertThat(dead).doesNotExist();
    }

    @Test
    void journalOfALivingServerIsLeftAlone() throws IOException {
        try (Placeholders living = Placeholders.open(serverDirectory("exec-server-1"))) {
            Placeholders.Lease lease = living.acquire(missing(".git"));
            Placeholders.open(serverDirectory("exec-server-2")).close();
            assertThat(workspace.resolve(".git")).exists();
            lease.close();
        }
        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void pathsSurviveTheJournal() {
        byte[] path = "/a b/\n\\0101/ö/-_.x".getBytes(StandardCharsets.UTF_8);
        String escaped = PlaceholderJournal.escape(path);
        assertThat(escaped).matches("[\\\\0-9a-zA-Z/._-]+");
        assertThat(PlaceholderJournal.unescape(escaped)).isEqualTo(path);
    }
}
