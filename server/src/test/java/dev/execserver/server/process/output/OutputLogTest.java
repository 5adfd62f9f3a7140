package dev.execserver.server.process.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class OutputLogTest {
    private static final Timers TIMERS = new Timers();

    private static final int CHUNK = 64 * 1024;
    private static final long MEMORY = 256 * 1024;
    private static final long TOTAL = 4 * 1024 * 1024;

    @TempDir
    private Path directory;

    private final FileWorkers workers = new FileWorkers(2, TIMERS);
    private final RetentionBudget budget = new RetentionBudget(1L << 40, 1L << 40);

    @AfterEach
    void stopWorkers() {
        workers.close();
    }

    private OutputLog log(boolean pushed) {
        return log(pushed, directory);
    }

    private OutputLog log(boolean pushed, Path spillDirectory) {
        return new OutputLog(new OutputBounds(MEMORY, TOTAL, spillDirectory, budget), pushed, workers);
    }

    static AnswerMemory plenty() {
        return new AnswerMemory(new MemoryBudget(Long.MAX_VALUE, Duration.ZERO));
    }

    /** Returns a chunk whose bytes depend on its number. */
    static byte[] chunk(int number, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (number * 31 + i);
        }
        return bytes;
    }

    private static void write(OutputLog log, int chunks) throws InterruptedException {
        for (int i = 1; i <= chunks; i++) {
            log.awaitRoom(() -> false);
            log.append(EventKind.STDOUT, chunk(i, CHUNK));
        }
    }

    static boolean roomWithin(OutputLog log, Duration limit) throws InterruptedException {
        CountDownLatch room = new CountDownLatch(1);
        Threads.virtual("pump", () -> {
            try {
                log.awaitRoom(() -> false);
                room.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return room.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void pushEverything(OutputLog log, int attachment) {
        for (Optional<OutputEvent> next = log.nextToPush(attachment);
                next.isPresent();
                next = log.nextToPush(attachment)) {
            log.pushed(next.get().seq());
        }
    }

    @Test
    void numbersAreSharedByOutputExitAndClose() {
        OutputLog log = log(true);
        log.append(EventKind.STDOUT, chunk(1, 3));
        log.exited(new Exit(3, Optional.empty()));
        log.append(EventKind.STDERR, chunk(2, 3));
        log.closed(Optional.empty());
        LogSlice all = log.read(0, -1, plenty());
        assertThat(all.chunks()).extracting(OutputEvent::seq).containsExactly(1L, 3L);
        assertThat(all.nextSeq()).isEqualTo(5);
        assertThat(all.exit()).contains(new Exit(3, Optional.empty()));
        assertThat(all.closed()).isTrue();
        assertThat(all.gap()).isEmpty();
    }

    @Test
    void aReadReturnsAtLeastOneChunkAndStopsBeforeTheLimit() {
        OutputLog log = log(true);
        log.append(EventKind.STDOUT, chunk(1, 3));
        log.append(EventKind.STDOUT, chunk(2, 3));
        assertThat(log.read(0, 0, plenty()).chunks()).hasSize(1);
        assertThat(log.read(0, 0, plenty()).nextSeq()).isEqualTo(2);
        assertThat(log.read(0, 5, plenty()).chunks()).hasSize(1);
        assertThat(log.read(0, 6, plenty()).chunks()).hasSize(2);
        assertThat(log.read(2, 6, plenty()).nextSeq()).isEqualTo(3);
    }

    @Test
    void outputBeyondTheMemoryWindowIsReadBackFromTheSpillFile() throws Exception {
        OutputLog log = log(false);
        write(log, 40);
        await().until(() -> budget.memoryBytes() <= MEMORY + Spill.BATCH_BYTES);
        LogSlice all = log.read(0, -1, plenty());
        assertThat(all.chunks()).hasSize(40);
        for (OutputEvent event : all.chunks()) {
            assertThat(event.bytes()).isEqualTo(chunk((int) event.seq(), CHUNK));
        }
        assertThat(all.gap()).isEmpty();
    }

    @Test
    void whenTheServersMemoryIsShortAProcessKeepsLittleInMemoryAndStillMakesProgress() throws Exception {
        RetentionBudget shortOfMemory = new RetentionBudget(1, 1L << 40);
        OutputLog log = new OutputLog(new OutputBounds(MEMORY, TOTAL, directory, shortOfMemory), false, workers);
        write(log, 40);
        await().until(() -> shortOfMemory.memoryBytes() <= 2 * OutputBounds.MIN_MEMORY_BYTES);
        assertThat(log.read(0, -1, plenty()).chunks()).hasSize(40);
    }

    @Test
    void theClockOfAnEarlierResumeDoesNotOpenTheGateOfALaterOne() {
        OutputLog log = log(true);
        log.append(EventKind.STDOUT, chunk(1, 10));
        int first = log.resume();
        log.detach();
        int second = log.resume();
        log.append(EventKind.STDOUT, chunk(2, 10));
        log.pace(first, DeliveryMark::openGate);
        log.pace(first, DeliveryMark::stopHolding);
        log.caughtUp(first, 1, false);
        assertThat(log.hasEventToPush(second)).isFalse();
        log.caughtUp(second, 1, false);
        assertThat(log.nextToPush(second)).map(OutputEvent::seq).contains(2L);
    }

    @Test
    void anAnswerThatWasOnlyQueuedIsInDoubtAsAWhole() {
        assertThat(OutputLog.MAX_READ_BYTES).isLessThan(DeliveryMark.IN_DOUBT_BYTES);
    }

    @Test
    void theSpillFileHasNoName() throws Exception {
        OutputLog log = log(false);
        write(log, 40);
        await().until(() -> budget.memoryBytes() <= MEMORY + Spill.BATCH_BYTES);
        try (var names = Files.list(directory)) {
            assertThat(names).isEmpty();
        }
    }

    @Test
    void aProcessThatIsOnlyPolledIsHeldAtTheBoundAndLosesNothing() throws Exception {
        OutputLog log = log(false);
        write(log, (int) (TOTAL / CHUNK));
        assertThat(roomWithin(log, Duration.ofMillis(200))).isFalse();
        LogSlice all = log.read(0, -1, plenty());
        assertThat(all.chunks()).hasSize((int) (TOTAL / CHUNK));
        LogSlice rest = log.read(all.nextSeq() - 1, -1, plenty());
        assertThat(rest.chunks()).isEmpty();
        assertThat(roomWithin(log, Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void b07_whatIsGoneIsDeclared() throws Exception {
        OutputLog log = log(false);
        int chunks = 3 * (int) (TOTAL / CHUNK);
        long cursor = 0;
        for (int i = 1; i <= chunks; i++) {
            log.awaitRoom(() -> false);
            log.append(EventKind.STDOUT, chunk(i, CHUNK));
            if (i % 16 == 0) {
                cursor = log.read(cursor, -1, plenty()).nextSeq() - 1;
            }
        }
        LogSlice fromTheStart = log.read(0, -1, plenty());
        LogSlice.Gap gap = fromTheStart.gap().orElseThrow();
        assertThat(gap.firstSeq()).isEqualTo(fromTheStart.chunks().getFirst().seq());
        assertThat(gap.droppedBytes()).isEqualTo((gap.firstSeq() - 1) * CHUNK);
        assertThat(gap.droppedBytes() + (long) fromTheStart.chunks().size() * CHUNK)
                .isEqualTo((long) chunks * CHUNK);
    }

    @Test
    void anAttachedConnectionThatDoesNotTakeOutputHoldsTheProcessInMemory() throws Exception {
        OutputLog log = log(true);
        int attachment = log.attach();
        write(log, (int) (MEMORY / CHUNK));
        assertThat(roomWithin(log, Duration.ofMillis(200))).isFalse();
        pushEverything(log, attachment);
        assertThat(roomWithin(log, Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void aDetachedProcessGoesOnUpToTheRetentionBound() throws Exception {
        OutputLog log = log(true);
        int attachment = log.attach();
        write(log, (int) (MEMORY / CHUNK));
        assertThat(log.hasEventToPush(attachment)).isTrue();
        log.detach();
        assertThat(log.hasEventToPush(attachment)).isFalse();
        assertThat(roomWithin(log, Duration.ofSeconds(10))).isTrue();
        assertThat(log.read(0, -1, plenty()).chunks()).hasSize((int) (MEMORY / CHUNK));
    }

    @Test
    void pushedEventsComeInOrderWithoutHolesAlsoFromTheSpillFile() throws Exception {
        OutputLog log = log(true);
        write(log, 40);
        await().until(() -> budget.memoryBytes() <= MEMORY + Spill.BATCH_BYTES);
        log.exited(new Exit(0, Optional.empty()));
        log.closed(Optional.empty());
        int attachment = log.attach();
        for (int seq = 1; seq <= 42; seq++) {
            OutputEvent event = log.nextToPush(attachment).orElseThrow();
            assertThat(event.seq()).isEqualTo(seq);
            if (seq <= 40) {
                assertThat(event.bytes()).isEqualTo(chunk(seq, CHUNK));
            }
        }
        assertThat(log.nextToPush(attachment)).isEmpty();
    }

    @Test
    void withoutPushOnlyExitAndCloseAreSent() {
        OutputLog log = log(false);
        int attachment = log.attach();
        log.append(EventKind.STDOUT, chunk(1, 10));
        assertThat(log.hasEventToPush(attachment)).isFalse();
        log.exited(new Exit(0, Optional.empty()));
        log.closed(Optional.empty());
        assertThat(log.nextToPush(attachment)).map(OutputEvent::kind).contains(EventKind.EXITED);
        assertThat(log.nextToPush(attachment)).map(OutputEvent::kind).contains(EventKind.CLOSED);
        assertThat(log.nextToPush(attachment)).isEmpty();
    }

    @Test
    void tinyChunksAreBoundedByTheirNumber() throws Exception {
        OutputLog log = log(false);
        for (int i = 0; i < EntryRing.MAX_EVENTS; i++) {
            log.append(EventKind.STDOUT, chunk(i, 1));
        }
        assertThat(roomWithin(log, Duration.ofMillis(200))).isFalse();
        assertThat(log.read(0, -1, plenty()).nextSeq()).isEqualTo(EntryRing.MAX_EVENTS + 1L);
        log.read(EntryRing.MAX_EVENTS, -1, plenty());
        assertThat(roomWithin(log, Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void aLongPollEndsWithOutputExitAndClose() throws Exception {
        OutputLog log = log(true);
        Threads.virtual("pump", () -> log.append(EventKind.STDOUT, chunk(1, 1)));
        log.await(0, Long.MAX_VALUE, () -> false);
        Threads.virtual("exit", () -> log.exited(new Exit(0, Optional.empty())));
        log.await(1, Long.MAX_VALUE, () -> false);
        Threads.virtual("close", () -> log.closed(Optional.empty()));
        log.await(2, Long.MAX_VALUE, () -> false);
        log.await(99, Long.MAX_VALUE, () -> false);
        assertThat(log.nextSeq()).isEqualTo(4);
    }

    @Test
    void aLongPollEndsWhenItsConnectionIsLost() throws Exception {
        OutputLog log = log(true);
        CountDownLatch gone = new CountDownLatch(1);
        Thread poll = Threads.virtual("poll", () -> {
            try {
                log.await(0, Long.MAX_VALUE, () -> gone.getCount() == 0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        gone.countDown();
        await().until(() -> {
            log.detach();
            return !poll.isAlive();
        });
    }

    private static int writeUntilHeld(OutputLog log) throws InterruptedException {
        int written = 0;
        while (written < 400 && roomWithin(log, Duration.ofMillis(300))) {
            written++;
            log.append(EventKind.STDOUT, chunk(written, CHUNK));
        }
        return written;
    }

    @Test
    void withoutASpillFileEnoughStaysInMemoryForWhatALostConnectionMayNotHaveReceived() {
        long total = 40L << 20;
        Path missing = directory.resolve("missing");
        OutputLog log = new OutputLog(new OutputBounds(MEMORY, total, missing, budget), true, workers);
        int attachment = log.attach();
        for (int seq = 1; seq <= 600; seq++) {
            log.append(EventKind.STDOUT, chunk(seq, CHUNK));
            assertThat(log.nextToPush(attachment)).isPresent();
            log.pushed(seq);
        }
        long retained = (long) log.read(0, -1, plenty()).chunks().getFirst().seq();
        assertThat((600 - retained) * CHUNK).isGreaterThanOrEqualTo(DeliveryMark.IN_DOUBT_BYTES - 2 * CHUNK);
    }

    @Test
    void withoutASpillFileAndWithLittleMemoryTheProcessIsHeldAndNothingIsLost() throws Exception {
        RetentionBudget little = new RetentionBudget(1, 1L << 40);
        Path missing = directory.resolve("missing");
        OutputLog log = new OutputLog(new OutputBounds(MEMORY, TOTAL, missing, little), false, workers);
        int written = writeUntilHeld(log);
        assertThat(written).isLessThan((int) (TOTAL / CHUNK));
        LogSlice all = log.read(0, -1, plenty());
        assertThat(all.chunks()).hasSize(written);
        assertThat(all.gap()).isEmpty();
    }

    @Test
    void afterEverythingIsFreedTheServersBudgetIsWhatItWas() throws Exception {
        OutputLog log = log(false);
        write(log, 40);
        log.read(40, -1, plenty());
        log.free();
        log.append(EventKind.STDOUT, chunk(1, CHUNK));
        await().untilAsserted(() -> {
            assertThat(budget.totalBytes()).isZero();
            assertThat(budget.memoryBytes()).isZero();
        });
    }

    @Test
    void whatNobodyTakesGoesToTheSpillFileAtABoundedPace() throws Exception {
        RetentionBudget shared = new RetentionBudget(1L << 40, 1L << 40);
        long before;
        do { // other logs use up the reserve for bursts; time counts from here, as the reserve grows again
            before = System.nanoTime();
        } while (shared.mayMoveUnattended(Spill.BATCH_BYTES));
        OutputLog log = new OutputLog(new OutputBounds(MEMORY, 64L << 20, directory, shared), true, workers);
        int attachment = log.attach();
        log.detach();
        write(log, 300);
        double seconds = (System.nanoTime() - before) / 1e9;
        double waitingMiB = 300 * CHUNK / 1048576.0 - MEMORY / 1048576.0 - 2 - 0.5;
        assertThat(seconds).isGreaterThan(0.7 * waitingMiB / (RetentionBudget.UNATTENDED_BYTES_PER_SECOND / 1048576.0));
        assertThat(log.hasEventToPush(attachment)).isFalse();
    }

    @Test
    void whileMemoryIsCriticalNextToNothingStaysInIt() throws Exception {
        RetentionBudget critical = new RetentionBudget(1, 1L << 40);
        critical.add(2, 2);
        OutputLog log = new OutputLog(new OutputBounds(MEMORY, TOTAL, directory, critical), false, workers);
        write(log, 40);
        await().until(() -> critical.memoryBytes() <= 2 + CHUNK);
        assertThat(log.read(0, -1, plenty()).chunks()).hasSize(40);
    }

    @Test
    void theLargestCursorIsBehindEverything() {
        OutputLog log = log(true);
        log.append(EventKind.STDOUT, chunk(1, 3));
        assertThat(log.read(Long.MAX_VALUE, -1, plenty()).chunks()).isEmpty();
        assertThat(log.read(Long.MAX_VALUE, -1, plenty()).gap()).isEmpty();
        assertThat(log.read(Long.MAX_VALUE - 1, 10, plenty()).nextSeq()).isEqualTo(2);
    }

    @Test
    void afterItsEndItHoldsNoOutputWhoeverStillHoldsIt() throws Exception {
        OutputLog log = log(false);
        write(log, 2);
        log.free();

        assertThat(log.read(0, -1, plenty()).chunks()).isEmpty();
        assertThat(log.nextSeq()).isEqualTo(3);
        assertThat(budget.memoryBytes()).isZero();
    }
}
