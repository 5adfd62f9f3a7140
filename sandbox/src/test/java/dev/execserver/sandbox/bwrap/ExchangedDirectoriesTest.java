package dev.execserver.sandbox.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Placeholders in a directory that somebody exchanges for a link, or whose entries he exchanges. */
@Timeout(60)
@DisplayName("nothing outside is made, changed or removed through a directory that was exchanged")
class ExchangedDirectoriesTest extends PlaceholderScene {
    private static final int ROUNDS = 400;
    private static final int NOBODY = 65534;

    private Path outside;
    private Path inside;

    @BeforeEach
    void make() throws IOException {
        outside = Files.createDirectory(base.resolve("outside"));
        inside = Files.createDirectory(workspace.resolve("q"));
    }

    private void exchanged() throws IOException {
        Files.move(inside, workspace.resolve("moved"));
        Files.createSymbolicLink(inside, outside);
    }

    @Test
    void aLinkInsteadOfTheDirectoryAsksForAnotherLook() throws IOException {
        exchanged();
        try (Placeholders placeholders = server()) {
            for (String name : new String[] {"q/.git", "q/file"}) {
                assertThatThrownBy(() -> placeholders.acquire(missing(name))).isInstanceOf(FilesChangedException.class);
            }
        }
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void aPlaceholderIsRemovedWhereItIsAndNotWhereItsPathLeads() throws IOException {
        try (Placeholders placeholders = server()) {
            Placeholders.Lease lease = placeholders.acquire(missing("q/file", "q/.git"));
            exchanged();
            Files.createFile(outside.resolve("file"));
            Files.createDirectory(outside.resolve(".git"));
            lease.close();
            assertThat(workspace.resolve("moved")).isEmptyDirectory();
            assertThat(outside).isDirectoryContaining(path -> path.endsWith("file"));
            assertThat(outside).isDirectoryContaining(path -> path.endsWith(".git"));
        }
    }

    @Test
    void anotherDirectoryInItsPlaceGetsAPlaceholderOfItsOwn() throws IOException {
        try (Placeholders placeholders = server()) {
            Placeholders.Lease first = placeholders.acquire(missing("q/.git"));
            Files.move(inside, workspace.resolve("moved"));
            Files.createDirectory(inside);
            Placeholders.Lease second = placeholders.acquire(missing("q/.git"));
            assertThat(inside.resolve(".git")).isEmptyDirectory();
            second.close();
            assertThat(inside).isEmptyDirectory();
            assertThat(workspace.resolve("moved/.git")).as("still used").isEmptyDirectory();
            first.close();
            assertThat(workspace.resolve("moved")).isEmptyDirectory();
            assertThat(placeholders.count()).isZero();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Does something in a directory again and again, as a command can. */
    private static CompletableFuture<Void> meanwhile(Path directory, AtomicBoolean end, Consumer<Fd> step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try (Fd fd = FileCalls.open(bytes(directory.toString()), FileCalls.O_RDONLY, 0)) {
                while (!end.get()) {
                    step.accept(fd);
                }
                done.complete(null);
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static void exchange(Fd directory, String one, String other) {
        unlessGone(() ->
                DirectoryCalls.rename(directory, bytes(one), directory, bytes(other), DirectoryCalls.RENAME_EXCHANGE));
    }

    private static void unlessGone(Runnable step) {
        try {
            step.run();
        } catch (LinuxException e) {
            assertThat(e.errno()).isIn(Errno.ENOENT, Errno.ENOTEMPTY);
        }
    }

    private void useOften(ResolvedPolicy policy) {
        try (Placeholders placeholders = server()) {
            for (int i = 0; i < ROUNDS; i++) {
                try (Placeholders.Lease _ = placeholders.acquire(policy)) {
                    Thread.onSpinWait();
                } catch (FilesChangedException e) {
                    assertThat(e).hasMessageContaining("while the sandbox was being prepared");
                }
            }
        }
    }

    @Test
    void inARaceNothingOutsideIsTouched() throws IOException {
        Path victim = Files.createFile(outside.resolve("victim"));
        Map<String, Object> before = Files.readAttributes(victim, "unix:mode,uid,ino,ctime");
        Files.createSymbolicLink(workspace.resolve("l"), outside);
        AtomicBoolean end = new AtomicBoolean();
        CompletableFuture<Void> exchanging = meanwhile(workspace, end, fd -> exchange(fd, "q", "l"));
        try {
            useOften(missing("q/victim", "q/.git", "q/file"));
        } finally {
            end.set(true);
            exchanging.join();
        }
        assertThat(Files.readAttributes(victim, "unix:mode,uid,ino,ctime")).isEqualTo(before);
        assertThat(outside).isDirectoryNotContaining(path -> !path.endsWith("victim"));
    }

    @Test
    void anotherObjectInThePlaceOfOneJustMadeIsNotGivenAway() throws IOException {
        assumeTrue(FileCalls.effectiveUser() == 0, "only root gives anything away");
        Files.setAttribute(inside, "unix:uid", NOBODY);
        Path directory = Files.createDirectory(inside.resolve("kept"));
        Files.createFile(directory.resolve("content"));
        Map<String, Object> before = Files.readAttributes(directory, "unix:mode,uid");
        AtomicBoolean end = new AtomicBoolean();
        CompletableFuture<Void> exchanging = meanwhile(inside, end, fd -> {
            exchange(fd, "kept", ".git");
            exchange(fd, "kept", ".git");
            unlessGone(() -> DirectoryCalls.removeDirectory(fd, bytes(".git")));
        });
        try {
            useOften(missing("q/.git"));
        } finally {
            end.set(true);
            exchanging.join();
        }
        Path now = Files.exists(directory.resolve("content")) ? directory : inside.resolve(".git");
        assertThat(now.resolve("content")).exists();
        assertThat(Files.readAttributes(now, "unix:mode,uid")).isEqualTo(before);
    }
}
