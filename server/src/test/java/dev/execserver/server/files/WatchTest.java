package dev.execserver.server.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.WatchMissingParams;
import dev.execserver.protocol.fs.WatchParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.outbound.BufferPool;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.sandbox.FileVisibility;
import dev.execserver.server.transport.InMemoryTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(90)
class WatchTest {
    private static final Timers TIMERS = new Timers();

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir(factory = MemoryTempDir.class)
    private Path directory;

    private final MemoryBudget memory = new MemoryBudget(16 << 20, Duration.ZERO);
    private final WaitingChanges waiting = new WaitingChanges(memory);
    private final Poller poller = new Poller();
    private final FileWatcher watcher = new FileWatcher(poller, memory);
    private final FileWatcher.Client client = watcher.client();
    private final FileWorkers workers = new FileWorkers(2, TIMERS);
    private final AtomicInteger notifications = new AtomicInteger();
    private FileVisibility visibility = FileVisibility.ALL;

    @AfterEach
    void close() {
        watcher.close();
        workers.close();
        poller.close();
    }

    private MissingWatch missing(Optional<Path> present, Path... missing) {
        List<PathUri> paths = List.of(missing).stream()
                .map(path -> PathUri.ofNative(path.toString()))
                .toList();
        WatchMissingParams params =
                new WatchMissingParams(1, paths, present.map(path -> PathUri.ofNative(path.toString())));
        return new MissingWatch(params, client, visibility, notifications::incrementAndGet);
    }

    private ChangeWatch changes(Path path) {
        return changes(path, waiting);
    }

    private ChangeWatch changes(Path path, WaitingChanges waiting) {
        WatchParams params = new WatchParams(7, PathUri.ofNative(path.toString()));
        return new ChangeWatch(params, new Outbound(InMemoryTransport.pair().server(), new BufferPool()), waiting);
    }

    private ChangeWatch tree() {
        return tree(client);
    }

    private ChangeWatch tree(FileWatcher.Client client) {
        WatchParams params = new WatchParams(7, PathUri.ofNative(directory.toString()), true);
        ChangeWatch watch =
                new ChangeWatch(params, new Outbound(InMemoryTransport.pair().server(), new BufferPool()), waiting);
        watch.begin(client, workers, visibility);
        return watch;
    }

    /** Waits until the watch has reported these paths. Returns all its reports. */
    private String told(ChangeWatch watch, String... paths) {
        StringBuilder all = new StringBuilder();
        for (String path : paths) {
            await().atMost(LIMIT).until(() -> all.append(next(watch)).indexOf(directory.resolve(path) + "\"") >= 0);
        }
        return all.toString();
    }

    @Test
    void aTreeIsWatchedToItsLeavesAndWhereItGrows() throws IOException {
        Files.createDirectories(directory.resolve("a/b"));
        ChangeWatch watch = tree();
        Files.writeString(directory.resolve("a/b/f"), "x");
        told(watch, "a/b/f");
        Files.createDirectories(directory.resolve("c/d/e"));
        told(watch, "c/d/e");
        Files.writeString(directory.resolve("c/d/e/g"), "x");
        told(watch, "c/d/e/g");
        Files.move(directory.resolve("c"), directory.resolve("moved"));
        told(watch, "moved/d/e/g");
        Files.writeString(directory.resolve("moved/d/h"), "x");
        assertThat(told(watch, "moved/d/h")).doesNotContain("/c/d/h").doesNotContain("\"overflow\"");
        watch.end();
    }

    @Test
    void changesThatNobodyTakesAreBoundedForTheConnectionAndTheRestIsSaidToBeLost() throws IOException {
        List<ChangeWatch> watches =
                IntStream.range(0, 20).mapToObj(i -> changes(directory)).toList();
        watches.forEach(watch -> watch.begin(client, workers, visibility));
        ChangeWatch last = changes(directory, new WaitingChanges(memory)); // gets each change after all others
        last.begin(client, workers, visibility);
        for (int i = 0; i < 500; i++) {
            Files.createFile(directory.resolve("%04d".formatted(i) + "x".repeat(200)));
        }
        told(last, "0499" + "x".repeat(200));
        assertThat(memory.usedBytes())
                .isBetween(FsLimits.WAITING_CHANGE_BYTES * 9L / 10, FsLimits.WAITING_CHANGE_BYTES + 21 * 1024L);
        assertThat(watches).allMatch(watch -> next(watch).contains("\"overflow\":true"));
        last.end();
        watches.forEach(ChangeWatch::end);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void directoriesAreWatchedAsFarAsTheServerHasMemoryForThem() throws IOException {
        for (int i = 0; i < 200; i++) {
            Files.createDirectory(directory.resolve("d" + i));
        }
        assertThat(memory.tryReserve(memory.maxBytes() - 20_000)).isTrue();
        ChangeWatch watch = tree();
        assertThat(next(watch)).contains("\"overflow\":true");
        watch.end();
        assertThat(memory.usedBytes()).isEqualTo(memory.maxBytes() - 20_000);
        memory.release(memory.maxBytes() - 20_000);
        ChangeWatch whole = tree();
        Files.createFile(directory.resolve("d199/f"));
        assertThat(told(whole, "d199/f")).doesNotContain("\"overflow\"");
        whole.end();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void aTreeThatIsTooLargeForOneConnectionLeavesOthersTheirWatches() throws IOException {
        for (int i = 0; i < 10; i++) {
            Files.createDirectory(directory.resolve("d" + i));
        }
        try (FileWatcher small = new FileWatcher(poller, new WatchRoom(8, memory))) {
            ChangeWatch greedy = tree(small.client());
            assertThat(next(greedy)).contains("\"overflow\":true");
            ChangeWatch other = changes(directory.resolve("d9"));
            other.begin(small.client(), workers, visibility);
            Files.createFile(directory.resolve("d9/f"));
            told(other, "d9/f");
            greedy.end();
            other.end();
        }
    }

    @Test
    void aWatchedTreeEndsAtLinks(@TempDir Path elsewhere) throws IOException {
        Files.createSymbolicLink(directory.resolve("link"), elsewhere);
        ChangeWatch watch = tree();
        Files.writeString(elsewhere.resolve("f"), "x");
        Files.writeString(directory.resolve("g"), "x");
        assertThat(told(watch, "g")).doesNotContain("link/f");
        watch.end();
    }

    @Test
    void whatMayNotBeSeenIsNotLookedInto() throws IOException {
        Files.createDirectories(directory.resolve("hidden/deep"));
        visibility = hiding(directory.resolve("hidden"), () -> {});
        ChangeWatch watch = tree();
        Files.writeString(directory.resolve("hidden/deep/f"), "x");
        Files.writeString(directory.resolve("hidden/f"), "x");
        Files.writeString(directory.resolve("g"), "x");
        assertThat(told(watch, "g")).doesNotContain("hidden/").doesNotContain("\"overflow\"");
        watch.end();
    }

    @Test
    void aLinkThatChangesAfterTheLookAtThePathShowsNothing(@TempDir Path elsewhere) throws IOException {
        Path hidden = Files.createDirectory(elsewhere.resolve("hidden"));
        Path seen = Files.createDirectory(elsewhere.resolve("seen"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), seen);
        visibility = hiding(hidden, () -> lead(link, hidden));
        ChangeWatch watch = changes(link);
        assertThatThrownBy(() -> watch.begin(client, workers, visibility)).hasMessage("not for you");
        Files.createFile(hidden.resolve("f"));
        assertThat(next(watch)).isEmpty();
    }

    @Test
    void aMissingPathBehindALinkThatChangesIsNotWaitedFor(@TempDir Path elsewhere) throws IOException {
        Path hidden = Files.createDirectory(elsewhere.resolve("hidden"));
        Path seen = Files.createDirectory(elsewhere.resolve("seen"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), seen);
        visibility = hiding(hidden, () -> {});
        MissingWatch open = missing(Optional.empty(), link.resolve("f"));
        assertThat(open.arm()).isTrue();
        open.cancel();
        lead(link, hidden);
        assertThatThrownBy(() -> missing(Optional.empty(), link.resolve("f")).arm())
                .hasMessage("not for you");
        Files.createFile(hidden.resolve("f"));
        assertThatThrownBy(() -> missing(Optional.empty(), link.resolve("f")).arm())
                .as("there or not, nobody learns it")
                .hasMessage("not for you");
        assertThatThrownBy(() -> missing(Optional.of(link.resolve("f")), directory.resolve("g"))
                        .arm())
                .hasMessage("not for you");
    }

    private static void lead(Path link, Path target) {
        try {
            Path other = link.resolveSibling("other");
            Files.createSymbolicLink(other, target);
            Files.move(other, link, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param afterLook runs after a path was checked, before it is opened */
    private static FileVisibility hiding(Path hidden, Runnable afterLook) {
        return new FileVisibility() {
            @Override
            public void require(PathUri path) {
                afterLook.run();
            }

            @Override
            public void require(Fd opened, PathUri path) {
                requireOther(new String(EntryCalls.nameOf(opened), StandardCharsets.UTF_8));
            }

            @Override
            public void require(Fd opened, byte[] name, PathUri path) {
                requireOther(new String(EntryCalls.nameOf(opened), StandardCharsets.UTF_8) + "/"
                        + new String(name, StandardCharsets.UTF_8));
            }

            private void requireOther(String place) {
                if (Path.of(place).startsWith(hidden)) {
                    throw RpcException.invalidRequest("not for you").withData("reason", "hidden");
                }
            }
        };
    }

    @Test
    void moreDirectoriesThanTheBoundAreDeclaredAsLost() throws IOException {
        for (int i = 0; i < FsLimits.WATCHED_DIRECTORIES; i++) {
            Files.createDirectory(directory.resolve("d" + i));
        }
        ChangeWatch watch = tree();
        assertThat(next(watch)).contains("\"overflow\":true");
        Files.delete(directory.resolve("d0"));
        told(watch, "d0");
        watch.end();
    }

    private static String next(ChangeWatch watch) {
        MessageBuffer out = new MessageBuffer();
        return watch.encodeNext(out) ? new String(out.toByteArray(), StandardCharsets.UTF_8) : "";
    }

    @Test
    void aMissingPathFiresOnceWhenADirectoryOnTheWayToItAppears() throws IOException {
        MissingWatch watch = missing(Optional.empty(), directory.resolve("a/b/c"));
        assertThat(watch.arm()).isTrue();
        watch.answered();
        Files.createDirectory(directory.resolve("other"));
        Files.createDirectory(directory.resolve("a"));
        await().atMost(LIMIT).untilAtomic(notifications, is(1));
        Files.createDirectory(directory.resolve("a/b"));
        Files.delete(directory.resolve("a/b"));
        assertThat(notifications).hasValue(1);
    }

    @Test
    void whatAppearsBeforeTheAnswerIsToldBehindIt() throws IOException {
        MissingWatch watch = missing(Optional.empty(), directory.resolve("a"));
        assertThat(watch.arm()).isTrue();
        MissingWatch second = missing(Optional.empty(), directory.resolve("a"));
        assertThat(second.arm()).isTrue();
        second.answered();
        Files.createDirectory(directory.resolve("a"));
        await().atMost(LIMIT).untilAtomic(notifications, is(1));
        watch.answered();
        await().atMost(LIMIT).untilAtomic(notifications, is(2));
    }

    @Test
    void aPresentPathFiresWhenItIsReplaced() throws IOException {
        Path present = Files.writeString(directory.resolve("present"), "");
        MissingWatch watch = missing(Optional.of(present), directory.resolve("a"));
        assertThat(watch.arm()).isTrue();
        watch.answered();
        Files.move(Files.writeString(directory.resolve("new"), "x"), present, StandardCopyOption.REPLACE_EXISTING);
        await().atMost(LIMIT).untilAtomic(notifications, is(1));
    }

    @Test
    void aCancelledWatchNeverFiresAndLeavesThoseOfOthersAlone() throws IOException {
        MissingWatch cancelled = missing(Optional.empty(), directory.resolve("a"));
        assertThat(cancelled.arm()).isTrue();
        cancelled.answered();
        MissingWatch other = missing(Optional.empty(), directory.resolve("a"));
        assertThat(other.arm()).isTrue();
        other.answered();
        cancelled.cancel();
        Files.createDirectory(directory.resolve("a"));
        await().atMost(LIMIT).untilAtomic(notifications, is(1));
    }

    @Test
    void changesThatAreTooManyAreDeclaredAsLost() throws IOException {
        ChangeWatch watch = changes(directory);
        watch.begin(client, workers, visibility);
        MissingWatch last = missing(Optional.empty(), directory.resolve("last"));
        assertThat(last.arm()).isTrue();
        last.answered();
        for (int i = 0; i < FsLimits.WAITING_CHANGES + 1; i++) {
            Files.createFile(directory.resolve("f" + i));
        }
        Files.createFile(directory.resolve("last"));
        await("all have come before one is taken").atMost(LIMIT).untilAtomic(notifications, is(1));
        StringBuilder said = new StringBuilder();
        await().atMost(LIMIT).until(() -> said.append(next(watch)).indexOf("\"overflow\":true") >= 0);
        watch.end();
        Files.createFile(directory.resolve("late"));
        assertThat(next(watch)).isEmpty();
    }

    @Test
    void theEndOfTheWatchedFileIsTold() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        ChangeWatch watch = changes(file);
        watch.begin(client, workers, visibility);
        Files.delete(file);
        StringBuilder said = new StringBuilder();
        await().atMost(LIMIT).until(() -> said.append(next(watch)).indexOf("\"ended\":true") >= 0);
        assertThat(said).contains("\"kind\":\"removed\"");
        assertThat(watch.ended()).isTrue();
    }

    @Test
    void manyWatchesOfOneFileComeAndGoWithoutLosingThatOfAnother() throws Exception {
        MissingWatch steady = missing(Optional.empty(), directory.resolve("wanted"));
        assertThat(steady.arm()).isTrue();
        steady.answered();
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(t -> Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < 500; i++) {
                        MissingWatch passing = missing(Optional.empty(), directory.resolve("never"));
                        assertThat(passing.arm()).isTrue();
                        passing.cancel();
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        Files.createDirectory(directory.resolve("wanted"));
        await().atMost(LIMIT).untilAtomic(notifications, is(1));
    }
}
