package dev.execserver.sandbox.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("B35: placeholders on the host")
class PlaceholdersTest extends PlaceholderScene {
    @Test
    void protectedNamesAreDirectoriesAndOthersFiles() throws IOException {
        try (Placeholders placeholders = server()) {
            try (Placeholders.Lease lease = placeholders.acquire(missing(".git", "m"))) {
                assertThat(workspace.resolve(".git")).isEmptyDirectory();
                assertThat(workspace.resolve("m")).isEmptyFile();
            }
            assertThat(workspace).isEmptyDirectory();
        }
    }

    @Test
    void lastUserTakesThemAway() throws IOException {
        try (Placeholders placeholders = server()) {
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
                policy(List.of(new Rule(git, Access.READ, Rule.Origin.PROTECTED_NAME, new RuleTarget.Missing(git))));
        try (Placeholders placeholders = server();
                Placeholders.Lease lease = placeholders.acquire(policy)) {
            assertThat(lease.impossible(git)).isTrue();
        }
    }

    @Test
    void whatDependsOnADirectoryThatIsGoneAsksForAnotherLook() throws IOException {
        try (Placeholders placeholders = server()) {
            assertThatThrownBy(() -> placeholders.acquire(missing("gone/.git")))
                    .isInstanceOf(FilesChangedException.class)
                    .hasMessageContaining("went away");
        }
    }

    @Test
    void theUserMayWriteIntoOneAndOnceFilledItLosesItsMark() throws IOException {
        try (Placeholders placeholders = server()) {
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
        try (Placeholders placeholders = server()) {
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
        try (Placeholders placeholders = server()) {
            Placeholders.Lease lease = placeholders.acquire(missing(".git"));
            Files.move(workspace.resolve(".git"), workspace.resolve("moved"));
            Files.createDirectory(workspace.resolve(".git"));
            lease.close();
            assertThat(workspace.resolve(".git")).isEmptyDirectory();
        }
    }

    @Test
    void oneThatSomebodyHasRemovedIsMadeAnewForTheNextCommand() throws IOException {
        try (Placeholders placeholders = server()) {
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
        try (Placeholders placeholders = server()) {
            placeholders.acquire(missing(".git", ".git")).close();
            assertThat(workspace).isEmptyDirectory();
        }
    }

    @Test
    void namesGoBeforeWhatTheyNamedIsGivenUp() throws IOException {
        try (Placeholders placeholders = server();
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
        try (Placeholders placeholders = server()) {
            placeholders.acquire(found(git)).close();
            assertThat(placeholders.count()).isZero();
        }
        assertThat(git).isEmptyDirectory();
    }

    @Test
    void objectThatAppearedMeanwhileAsksForAnotherLook() throws IOException {
        try (Placeholders placeholders = server()) {
            ResolvedPolicy stale = missing("a", ".git");
            Files.createDirectory(workspace.resolve(".git"));
            assertThatThrownBy(() -> placeholders.acquire(stale)).isInstanceOf(FilesChangedException.class);
            assertThat(workspace.resolve("a")).doesNotExist();
            assertThat(workspace.resolve(".git")).exists();
        }
    }

    @Test
    void theGuardianKnowsOfEachOneWhileItIsThere() {
        Ledger ledger = ledger();
        try (Placeholders placeholders = new Placeholders(ledger)) {
            Placeholders.Lease lease = placeholders.acquire(missing(".git", "m"));
            assertThat(ledger.lines())
                    .hasSize(2)
                    .allMatch(line -> line.startsWith("+P "))
                    .allMatch(line -> line.split(" +")[1].matches("\\d+:\\d+"));
            lease.close();
            assertThat(ledger.lines()).isEmpty();
        }
    }
}
