package dev.execserver.server.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.WatchMissingParams;
import dev.execserver.protocol.fs.WatchParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.spawn.Poller;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.outbound.BufferPool;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.transport.InMemoryTransport;
import java.io.IOException;
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

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    private final MemoryShare memory = new MemoryShare(16 << 20, Duration.ZERO);
    private final WaitingChanges waiting = new WaitingChanges(memory);
    private final Poller poller = new Poller();
    private final FileWatcher watcher = new FileWatcher(poller, memory);
    private final FileWorkers workers = new FileWorkers(2);
    private final AtomicInteger notifications = new AtomicInteger();

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
        return new MissingWatch(params, watcher, notifications::incrementAndGet);
    }

    private ChangeWatch changes(Path path) {
        return changes(path, waiting);
    }

    private ChangeWatch changes(Path path, WaitingChanges waiting) {
        WatchParams params = new WatchParams(7, PathUri.ofNative(path.toString()));
        return new ChangeWatch(params, new Outbound(InMemoryTransport.pair().server(), new BufferPool()), waiting);
    }

    private ChangeWatch tree() {
        WatchParams params = new WatchParams(7, PathUri.ofNative(directory.toString()), true);
        ChangeWatch watch =
                new ChangeWatch(params, new Outbound(InMemoryTransport.pair().server(), new BufferPool()), waiting);
        watch.begin(watcher, workers, path -> {});
        return watch;
    }

    /** Waits until the watch tells of these paths; returns all that it has told. */
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
        watches.forEach(watch -> watch.begin(watcher, workers, path -> {}));
        ChangeWatch last = changes(directory, new WaitingChanges(memory)); // hears of each change when all others have
        last.begin(watcher, workers, path -> {});
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
        WatchParams params = new WatchParams(7, PathUri.ofNative(directory.toString()), true);
        ChangeWatch watch =
                new ChangeWatch(params, new Outbound(InMemoryTransport.pair().server(), new BufferPool()), waiting);
        watch.begin(watcher, workers, path -> {
            if (path.display().contains("hidden")) {
                throw RpcException.invalidRequest("not for you").withData("reason", "hidden");
            }
        });
        Files.writeString(directory.resolve("hidden/deep/f"), "x");
        Files.writeString(directory.resolve("hidden/f"), "x");
        Files.writeString(directory.resolve("g"), "x");
        assertThat(told(watch, "g")).doesNotContain("hidden/").doesNotContain("\"overflow\"");
        watch.end();
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
        watch.begin(watcher, workers, path -> {});
        for (int i = 0; i < FsLimits.WAITING_CHANGES + 1; i++) {
            Files.createFile(directory.resolve("f" + i));
        }
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
        watch.begin(watcher, workers, path -> {});
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
