package dev.execserver.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryShare;
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

/** What a client is given after a resume, by its read and by pushing: every event once, and no end before its output. */
@Timeout(30)
class CatchUpTest {
    private static final Timers TIMERS = new Timers();

    private static final int CHUNK = 64 * 1024;
    private static final AnswerMemory PLENTY = new AnswerMemory(new MemoryShare(Long.MAX_VALUE, Duration.ZERO));

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
        log = new OutputLog(new Retention(256 * 1024, 64L << 20, directory, budget), pushed, workers);
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
        pushed.stream().max(Long::compare).ifPresent(last -> log.pushed(attachment, pushed.getLast()));
        return pushed;
    }

    private static List<Long> numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
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
        assertThat(log.caughtUp(attachment, log.read(0, -1, PLENTY).nextSeq() - 1))
                .isTrue();
        log.pace(attachment, DeliveryMark::openGate);
        end();
        assertThat(push(attachment)).isEqualTo(numbers(129, 202));
    }

    @Test
    void whatALateCutAnswerLeftOutIsPushedAndNothingTwice() {
        log(true, 200);
        int attachment = log.resume();
        append(5);
        log.pace(attachment, DeliveryMark::stopHolding);
        List<Long> early = push(attachment);
        assertThat(early).isEqualTo(numbers(201, 205));
        log.caughtUp(attachment, log.read(0, -1, PLENTY).nextSeq() - 1);
        log.pushed(attachment, 205); // what was early is written only now
        append(5);
        log.pace(attachment, DeliveryMark::openGate);
        List<Long> late = push(attachment);
        assertThat(late).startsWith(129L).endsWith(210L).doesNotHaveDuplicates().doesNotContainAnyElementsOf(early);
        assertThat(late).hasSize(72 + 5);
    }

    @Test
    void anEndThatWasPushedEarlyIsNotPushedAgain() {
        log(false, 200);
        int attachment = log.resume();
        end();
        log.pace(attachment, DeliveryMark::stopHolding);
        assertThat(push(attachment)).containsExactly(201L, 202L);
        log.caughtUp(attachment, 128);
        assertThat(push(attachment)).isEmpty();
    }

    @Test
    void aLateAnswerThatHoldsEverythingLeavesNothingToPush() {
        log(true, 20);
        int attachment = log.resume();
        append(5);
        log.pace(attachment, DeliveryMark::stopHolding);
        assertThat(push(attachment)).hasSize(5);
        log.caughtUp(attachment, log.read(0, -1, PLENTY).nextSeq() - 1);
        append(1);
        assertThat(push(attachment)).containsExactly(26L);
        assertThat(log.caughtUp(attachment, 1)).isFalse();
        assertThat(push(attachment)).isEmpty();
    }

    @Test
    void whatIsParkedBeforeTheAnswerCountsAfterItToo() {
        log(true, 1);
        int attachment = log.resume();
        append(20);
        log.pace(attachment, DeliveryMark::stopHolding);
        int parked = push(attachment).size();
        log.caughtUp(attachment, 1);
        assertThat((long) parked * CHUNK).isLessThanOrEqualTo(PushGate.MAX_BYTES);
        assertThat(push(attachment)).isEmpty();
        log.pace(attachment, DeliveryMark::openGate);
        assertThat(push(attachment)).hasSize(20 - parked);
    }

    @Test
    void aClientThatNeverReadsIsPushedToInTheEnd() {
        log(true, 1);
        int attachment = log.resume();
        append(20);
        log.pace(attachment, DeliveryMark::stopWaiting);
        assertThat(push(attachment)).isEqualTo(numbers(2, 21));
    }
}
