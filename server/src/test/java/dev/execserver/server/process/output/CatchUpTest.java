package dev.execserver.server.process.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the events that a client gets after a resume, by its read and by pushing: every event once, and no end before
 * its output.
 */
@Timeout(30)
class CatchUpTest {
    private static final Timers TIMERS = new Timers();

    private static final int CHUNK = 64 * 1024;
    /** Number of chunks that are pushed before the client must have merged. */
    private static final long PARKED = PushGate.MAX_BYTES / CHUNK;

    private static final AnswerMemory PLENTY = new AnswerMemory(new MemoryBudget(Long.MAX_VALUE, Duration.ZERO));

    @TempDir
    private Path directory;

    private final FileWorkers workers = new FileWorkers(2, TIMERS);
    private OutputLog log;

    @AfterEach
    void stopWorkers() {
        workers.close();
    }

    private void log(boolean pushed, int chunks) {
        RetentionBudget budget = new RetentionBudget(1L << 40, 1L << 40);
        log = new OutputLog(new OutputBounds(256 * 1024, 64L << 20, directory, budget), pushed, workers);
        append(chunks);
    }

    private void append(int chunks) {
        for (int i = 0; i < chunks; i++) {
            log.append(EventKind.STDOUT, new byte[CHUNK]);
        }
    }

    private void end() {
        log.exited(new Exit(0, Optional.empty()));
        log.closed(Optional.empty());
    }

    private List<Long> push(int attachment) {
        List<Long> pushed = new ArrayList<>();
        for (Optional<OutputEvent> next = log.nextToPush(attachment);
                next.isPresent();
                next = log.nextToPush(attachment)) {
            pushed.add(next.get().seq());
        }
        pushed.stream().max(Long::compare).ifPresent(last -> log.pushed(pushed.getLast()));
        return pushed;
    }

    private static List<Long> numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void anEventWhoseWriterGoesOnOnlyAfterTheResumeIsNotPushedAgain() {
        log(true, 3);
        int first = log.attach();
        push(first);
        append(1);
        assertThat(log.nextToPush(first)).isPresent();
        log.detach();
        int second = log.resume();
        log.pushed(4);
        append(1);
        log.pace(second, DeliveryMark::startListening);

        assertThat(push(second)).containsExactly(5L);
    }

    @Test
    void anAnswerThatTheServerCutsDoesNotTellTheEnd() {
        log(true, 200);
        end();
        LogSlice first = log.read(0, -1, PLENTY);
        assertThat(first.chunks()).hasSize(128);
        assertThat(first.nextSeq()).isEqualTo(129);
        assertThat(first.exit()).isEmpty();
        assertThat(first.closed()).isFalse();
        LogSlice rest = log.read(128, -1, PLENTY);
        assertThat(rest.nextSeq()).isEqualTo(203);
        assertThat(rest.exit()).isPresent();
        assertThat(rest.closed()).isTrue();
    }

    @Test
    void anExitInFrontOfTheCutIsTold() {
        log(true, 10);
        log.exited(new Exit(0, Optional.empty()));
        append(200);
        log.closed(Optional.empty());
        LogSlice first = log.read(0, -1, PLENTY);
        assertThat(first.exit()).isPresent();
        assertThat(first.closed()).isFalse();
        assertThat(first.nextSeq()).isEqualTo(130);
    }

    @Test
    void aReaderWithALimitOfItsOwnIsToldTheStateOfNow() {
        log(true, 3);
        end();
        LogSlice first = log.read(0, CHUNK, PLENTY);
        assertThat(first.nextSeq()).isEqualTo(2);
        assertThat(first.exit()).isPresent();
        assertThat(first.closed()).isTrue();
    }

    @Test
    void whatACutAnswerLeftOutIsPushed() {
        log(true, 200);
        int attachment = log.resume();
        assertThat(push(attachment)).isEmpty();
        assertThat(log.caughtUp(attachment, log.read(0, -1, PLENTY).nextSeq() - 1, false))
                .isTrue();
        log.pace(attachment, DeliveryMark::openGate);
        end();
        assertThat(push(attachment)).isEqualTo(numbers(129, 202));
    }

    @Test
    void whatALateCutAnswerLeftOutIsPushedInOrderAndNothingTwice() {
        log(true, 200);
        int attachment = log.resume();
        append(5);
        log.pace(attachment, DeliveryMark::stopHolding);
        assertThat(push(attachment)).isEqualTo(numbers(1, PARKED));
        log.caughtUp(attachment, log.read(0, -1, PLENTY).nextSeq() - 1, false);
        append(5);
        log.pace(attachment, DeliveryMark::openGate);
        assertThat(push(attachment)).isEqualTo(numbers(129, 210));
    }

    @Test
    void anAnswerBehindWhatWasPushedLeavesThePlaceOfPushing() {
        log(true, 200);
        int attachment = log.resume();
        log.pace(attachment, DeliveryMark::stopHolding);
        assertThat(push(attachment)).isEqualTo(numbers(1, PARKED));
        log.caughtUp(attachment, 3, false);
        log.pace(attachment, DeliveryMark::openGate);
        assertThat(push(attachment)).isEqualTo(numbers(PARKED + 1, 200));
    }

    @Test
    void anEndThatWasPushedEarlyIsNotPushedAgain() {
        log(false, 200);
        int attachment = log.resume();
        end();
        log.pace(attachment, DeliveryMark::stopHolding);
        assertThat(push(attachment)).containsExactly(201L, 202L);
        log.caughtUp(attachment, 128, false);
        assertThat(push(attachment)).isEmpty();
    }

    @Test
    void aLateAnswerThatHoldsEverythingLeavesNothingToPush() {
        log(true, 5);
        int attachment = log.resume();
        append(5);
        log.pace(attachment, DeliveryMark::stopHolding);
        assertThat(push(attachment)).hasSize(10);
        log.caughtUp(attachment, log.read(0, -1, PLENTY).nextSeq() - 1, false);
        append(1);
        assertThat(push(attachment)).containsExactly(11L);
        assertThat(log.caughtUp(attachment, 1, false)).isFalse();
        assertThat(push(attachment)).isEmpty();
    }

    @Test
    void whatIsParkedBeforeTheAnswerCountsAfterItToo() {
        log(true, 1);
        int attachment = log.resume();
        append(20);
        log.pace(attachment, DeliveryMark::stopHolding);
        int parked = push(attachment).size();
        log.caughtUp(attachment, 1, false);
        assertThat((long) parked * CHUNK).isLessThanOrEqualTo(PushGate.MAX_BYTES);
        assertThat(push(attachment)).isEmpty();
        log.pace(attachment, DeliveryMark::openGate);
        assertThat(push(attachment)).hasSize(21 - parked);
    }

    @Test
    void aClientThatOnlyListensGetsWhatItMissedAndWhatComesAndNothingTwice() {
        log(true, 3);
        int first = log.attach();
        assertThat(push(first)).isEqualTo(numbers(1, 3));
        append(2);
        log.detach();
        append(20);
        int second = log.resume();
        append(20);
        log.pace(second, DeliveryMark::stopHolding);
        assertThat(push(second)).isEqualTo(numbers(4, PARKED + 3));
        log.pace(second, DeliveryMark::startListening);
        end();
        assertThat(push(second)).isEqualTo(numbers(PARKED + 4, 47));
        assertThat(log.pushesStill()).isFalse();
    }

    @Test
    void aClientThatOnlyListensMakesRoomByListening() throws InterruptedException {
        log(true, 40);
        int attachment = log.resume();
        log.pace(attachment, DeliveryMark::startListening);
        assertThat(push(attachment)).hasSize(40);
        append(1100); // more than is kept of delivered output
        assertThat(push(attachment)).hasSize(1100);
        log.awaitRoom(() -> false);
        assertThat(log.read(0, CHUNK, PLENTY).gap()).isPresent();
    }

    @Test
    void whoReadsIsNotTakenForAListener() {
        log(true, 1);
        int attachment = log.resume();
        log.caughtUp(attachment, 1, false);
        append(20);
        log.pace(attachment, DeliveryMark::startListening);
        assertThat(push(attachment)).isEqualTo(numbers(2, PARKED + 1));
    }

    @Test
    void tenResumesInARowLeaveNoHole() {
        log(true, 1);
        List<Long> heard = new ArrayList<>(push(log.attach()));
        for (int i = 0; i < 10; i++) {
            append(2);
            log.detach();
            append(3);
            int attachment = log.resume();
            append(1);
            log.pace(attachment, DeliveryMark::stopHolding);
            heard.addAll(push(attachment));
        }
        assertThat(heard).isEqualTo(numbers(1, 61));
    }

    @Test
    void everythingIsToldOnlyWhenItWasWritten() throws InterruptedException {
        log(true, 2);
        int attachment = log.attach();
        end();
        Thread stopping = Thread.ofVirtual().start(() -> log.awaitTold(true, Duration.ofMinutes(1)));
        for (long seq = 1; seq <= 4; seq++) {
            assertThat(stopping.isAlive()).isTrue();
            assertThat(log.nextToPush(attachment)).isPresent();
            log.pushed(seq);
        }
        stopping.join();
    }

    @Test
    void outputThatIsNotPushedIsToldWhenItWasReadToTheEnd() throws InterruptedException {
        log(false, 2);
        int attachment = log.attach();
        end();
        assertThat(push(attachment)).containsExactly(3L, 4L);
        log.awaitTold(false, Duration.ofMinutes(1));
        Thread stopping = Thread.ofVirtual().start(() -> log.awaitTold(true, Duration.ofMinutes(1)));
        log.caughtUp(attachment, 1, true);
        assertThat(log.unread()).isTrue();
        log.caughtUp(attachment, 2, false);
        assertThat(log.unread()).isFalse();
        stopping.join();
    }

    @Test
    void whatIsPushedIsUnreadUntilAReadHasToldTheClose() {
        log(true, 2);
        int attachment = log.attach();
        log.caughtUp(attachment, 2, false);
        end();
        assertThat(push(attachment)).hasSize(4);
        assertThat(log.pushesStill()).isFalse();
        assertThat(log.unread()).isTrue();
        log.caughtUp(attachment, 4, true);
        assertThat(log.unread()).isFalse();
    }
}
