package dev.execserver.server.process.output;

import static dev.execserver.server.process.output.OutputLogTest.chunk;
import static dev.execserver.server.process.output.OutputLogTest.plenty;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Observers see a log and leave it as it is. */
@Timeout(60)
class LogViewTest {

    private static final int CHUNK = 64 * 1024;
    private static final long MEMORY = 256 * 1024;
    private static final long TOTAL = 2 * 1024 * 1024;

    @TempDir
    private Path directory;

    private final Timers timers = new Timers();
    private final FileWorkers workers = new FileWorkers(2, timers);
    private final RetentionBudget budget = new RetentionBudget(1L << 40, 1L << 40);

    @AfterEach
    void stop() {
        workers.close();
        timers.close();
    }

    private OutputLog log() {
        return new OutputLog(new OutputBounds(MEMORY, TOTAL, directory, budget), false, workers);
    }

    private static LogView.Look look(OutputLog log, long afterSeq, OptionalLong lastBytes, long maxBytes)
            throws InterruptedException {
        return log.view().look(afterSeq, lastBytes, maxBytes, plenty(), () -> false);
    }

    private static LogView.Look look(OutputLog log, long afterSeq) throws InterruptedException {
        return look(log, afterSeq, OptionalLong.empty(), LogView.MAX_BYTES);
    }

    private static void write(OutputLog log, int from, int to) throws InterruptedException {
        for (int i = from; i <= to; i++) {
            log.awaitRoom(() -> false);
            log.append(EventKind.STDOUT, chunk(i, CHUNK));
        }
    }

    @Test
    void allThatIsKeptIsSeenPieceByPieceAlsoFromTheFile() throws Exception {
        OutputLog log = log();
        write(log, 1, 20);
        await().until(() -> budget.memoryBytes() <= MEMORY + Spill.BATCH_BYTES);
        long cursor = 0;
        for (int seen = 0; seen < 20; ) {
            LogView.Look look = look(log, cursor);
            assertThat(look.offset()).isEqualTo((long) seen * CHUNK);
            for (OutputChunk chunk : look.output().chunks()) {
                assertThat(chunk.bytes()).isEqualTo(chunk(++seen, CHUNK));
            }
            assertThat(look.endOffset()).isEqualTo((long) seen * CHUNK);
            cursor = look.output().nextSeq() - 1;
        }
        assertThat(look(log, cursor).output().chunks()).isEmpty();
    }

    @Test
    void aLookAcknowledgesNothing() throws Exception {
        OutputLog log = log();
        write(log, 1, 10);
        LogView.Look unused = look(log, 10);
        assertThat(unused.output().chunks()).isEmpty();
        assertThat(log.unread()).isTrue();
        assertThat(log.read(0, -1, plenty()).chunks()).hasSize(10);
    }

    @Test
    void whatWasDroppedIsPassedOver() throws Exception {
        OutputLog log = log();
        for (int i = 1; i <= 100; i++) {
            write(log, i, i);
            LogSlice unused = log.read(i, 1, plenty()); // the client has all of it
        }
        LogView.Look late = look(log, 3);
        assertThat(late.offset()).isGreaterThan(60L * CHUNK);
        assertThat(late.output().dropped()).isPresent();
        assertThat(late.output().chunks().getFirst().bytes())
                .isEqualTo(chunk((int) (late.offset() / CHUNK) + 1, CHUNK));
    }

    @Test
    void theLastBytesAreAtLeastSoMany() throws Exception {
        OutputLog log = log();
        write(log, 1, 10);
        assertThat(look(log, 0, OptionalLong.of(0), CHUNK).output().chunks()).isEmpty();
        assertThat(look(log, 0, OptionalLong.of(0), CHUNK).output().nextSeq()).isEqualTo(11);
        assertThat(look(log, 0, OptionalLong.of(1), CHUNK).output().chunks())
                .extracting(OutputChunk::seq)
                .containsExactly(10L);
        assertThat(look(log, 0, OptionalLong.of(CHUNK + 1), LogView.MAX_BYTES).offset())
                .isEqualTo(8L * CHUNK);
        assertThat(look(log, 0, OptionalLong.of(Long.MAX_VALUE), CHUNK).offset())
                .isZero();
    }

    @Test
    void theEndIsToldWithTheLastOutputAndNotBefore() throws Exception {
        OutputLog log = log();
        write(log, 1, 6);
        log.exited(new Exit(3, Optional.empty()));
        log.closed(Optional.empty());
        LogView.Look first = look(log, 0);
        assertThat(first.output().exited()).isFalse();
        LogView.Look last = look(log, first.output().nextSeq() - 1);
        assertThat(last.output().exitCode()).hasValue(3);
        assertThat(last.output().closed()).isTrue();
        assertThat(last.output().nextSeq()).isEqualTo(9);
    }

    @Test
    void anObserverThatHasSeenTheExitWaitsForMore() throws Exception {
        OutputLog log = log();
        log.exited(new Exit(0, Optional.empty()));
        long cursor = look(log, 0).output().nextSeq() - 1;
        assertThat(log.view().await(cursor, TimeUnit.MILLISECONDS.toNanos(50), () -> false))
                .isNotPositive();
    }

    @Test
    void aLogThatWasFreedHoldsNobody() throws Exception {
        OutputLog log = log();
        write(log, 1, 3);
        log.free();
        assertThat(log.view().await(3, Duration.ofSeconds(50).toNanos(), () -> false))
                .isPositive();
        assertThat(look(log, 0).output().chunks()).isEmpty();
    }

    @Test
    void aLookHasNotMoreThanSoManyEvents() throws Exception {
        OutputLog log = log();
        for (int i = 1; i <= LogView.MAX_EVENTS + 10; i++) {
            log.append(EventKind.STDOUT, chunk(i, 1));
        }
        LogView.Look first = look(log, 0);
        assertThat(first.output().chunks()).hasSize(LogView.MAX_EVENTS);
        assertThat(first.endOffset()).isEqualTo(LogView.MAX_EVENTS);
        LogView.Look rest = look(log, first.output().nextSeq() - 1);
        assertThat(rest.output().chunks()).hasSize(10);
        assertThat(rest.offset()).isEqualTo(LogView.MAX_EVENTS);
    }
}
