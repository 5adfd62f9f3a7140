package dev.execserver.sandbox.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("B35: placeholders that several servers use")
class SharedPlaceholdersTest extends PlaceholderScene {
    @Test
    void oneThatWaitsForAnotherServerIsStillHeldWhenItIsUsedAgain() throws IOException {
        try (Placeholders one = server();
                Placeholders two = server()) {
            Placeholders.Lease maker = one.acquire(missing(".git"));
            Placeholders.Lease guest = two.acquire(found(workspace.resolve(".git")));
            maker.close();
            Placeholders.Lease again = one.acquire(missing(".git"));
            guest.close();
            try (Fd git = open(workspace.resolve(".git"))) {
                assertThat(EntryCalls.tryLockExclusive(git))
                        .as("free to be removed")
                        .isFalse();
            }
            again.close();
            assertThat(workspace).isEmptyDirectory();
        }
    }

    @Test
    void theLastUserRemovesItWhicheverServerHasMadeIt() throws IOException {
        try (Placeholders one = server();
                Placeholders two = server()) {
            Placeholders.Lease maker = one.acquire(missing(".git", "m", "n"));
            Path git = workspace.resolve(".git");
            Placeholders.Lease guest = two.acquire(found(git));
            Placeholders.Lease another = two.acquire(found(workspace.resolve("m")));

            maker.close();
            assertThat(workspace).isDirectoryContaining(git::equals);
            assertThat(workspace.resolve("m")).exists();
            assertThat(workspace.resolve("n")).doesNotExist();
            guest.close();
            another.close();
            assertThat(workspace).isEmptyDirectory();
        }
    }

    @Test
    void theLastUserRemovesItAlsoWhenTheServerThatHasMadeItIsGone() throws IOException {
        Ledger second = ledger();
        try (Placeholders two = new Placeholders(second)) {
            Placeholders.Lease guest;
            try (Placeholders one = server()) {
                one.acquire(missing(".git"));
                guest = two.acquire(found(workspace.resolve(".git")));
                one.acquire(missing("m")).close();
            }
            assertThat(workspace.resolve(".git")).isEmptyDirectory();
            assertThat(second.lines())
                    .as("for the case that this server is killed")
                    .singleElement()
                    .asString()
                    .endsWith(" .git");
            guest.close();
            assertThat(workspace).isEmptyDirectory();
        }
    }

    @Test
    void thatOfAnotherServerCountsAsMissingForAProgramThatNeedsNone() throws IOException {
        try (Placeholders one = server();
                Placeholders two = server();
                Placeholders.Lease _ = one.acquire(missing(".git"))) {
            Path git = workspace.resolve(".git");
            Rule seen = found(git).rules().getFirst();
            FileId id = ((RuleTarget.Directory) seen.found()).id();
            ResolvedPolicy policy = policy(
                    List.of(new Rule(seen.path(), seen.access(), seen.origin(), new RuleTarget.Directory(id, true))));
            assertThat(two.withoutPlaceholders(policy).missing()).containsExactly(seen.path());
            assertThat(one.withoutPlaceholders(policy).missing()).containsExactly(seen.path());
            Files.createDirectory(git.resolve("objects"));
            ResolvedPolicy filled = found(git);
            assertThat(two.withoutPlaceholders(filled)).isEqualTo(filled);
        }
    }

    @Test
    void twoServersThatNeedItNoMoreDoNotKeepItForEachOther() throws IOException {
        try (Placeholders one = server();
                Placeholders two = server()) {
            Placeholders.Lease maker = one.acquire(missing(".git"));
            Placeholders.Lease guest = two.acquire(found(workspace.resolve(".git")));
            Placeholders.Lease another = one.acquire(missing(".git"));
            maker.close();
            another.close();
            guest.close();
            assertThat(workspace).isEmptyDirectory();
            await().untilAsserted(() -> assertThat(one.count()).isZero());
        }
    }

    @Test
    void whoeverElseLocksItForAMomentKeepsItNoLonger() throws IOException {
        try (Placeholders placeholders = server();
                Fd stranger = placeholderLockedByAStranger(placeholders)) {
            assertThat(workspace.resolve(".git")).isEmptyDirectory();
            EntryCalls.unlock(stranger);
            await().untilAsserted(() -> assertThat(workspace).isEmptyDirectory());
            assertThat(placeholders.count()).isZero();
        }
    }

    private Fd placeholderLockedByAStranger(Placeholders placeholders) {
        try (Placeholders.Lease _ = placeholders.acquire(missing(".git"))) {
            Fd git = open(workspace.resolve(".git"));
            assertThat(EntryCalls.tryLockShared(git)).isTrue();
            return git;
        }
    }

    @Test
    @Timeout(60)
    void manyCommandsOfTwoServersAlwaysHaveItAndLeaveNothing() throws Exception {
        try (Placeholders one = server();
                Placeholders two = server();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> commands = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Placeholders server = i % 2 == 0 ? one : two;
                commands.add(threads.submit(() -> useOften(server)));
            }
            for (Future<?> command : commands) {
                command.get();
            }
            await().untilAsserted(() -> assertThat(workspace).isEmptyDirectory());
            await().untilAsserted(() -> assertThat(one.count() + two.count()).isZero());
        }
    }

    private void useOften(Placeholders server) {
        Path git = workspace.resolve(".git");
        for (int round = 0; round < 1_000; round++) {
            try (Placeholders.Lease _ = server.acquire(found(git))) {
                Object before = Files.getAttribute(git, "unix:ino");
                Thread.yield();
                assertThat(Files.getAttribute(git, "unix:ino"))
                        .as("what is mounted on stays")
                        .isEqualTo(before);
            } catch (FilesChangedException e) {
                Thread.onSpinWait(); // a server does the same: it resolves again
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
