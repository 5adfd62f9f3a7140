package dev.execserver.server.process.output;

import static dev.execserver.server.process.output.OutputLogTest.chunk;
import static dev.execserver.server.process.output.OutputLogTest.plenty;
import static dev.execserver.server.process.output.OutputLogTest.roomWithin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Spill files on a file system that is nearly full. */
@Timeout(60)
class LowSpaceTest {
    private static final int CHUNK = 64 * 1024;
    private static final long RESERVED = 1L << 30;

    @TempDir
    private Path directory;

    private final FileWorkers workers = new FileWorkers(2, new Timers());
    private final RetentionBudget budget = new RetentionBudget(1L << 40, 1L << 40);
    private final AtomicLong free = new AtomicLong(RESERVED);
    private OutputLog log;

    @AfterEach
    void stopWorkers() {
        workers.close();
    }

    private OutputLog log(boolean pushed) {
        SpillSpace space = new SpillSpace(RESERVED, free::get);
        return new OutputLog(new OutputBounds(1 << 18, 64L << 20, directory, space, budget), pushed, workers);
    }

    private int writeUntilHeld() throws InterruptedException {
        int written = 0;
        while (written < 1_500 && roomWithin(log, Duration.ofMillis(500))) {
            written++;
            log.append(EventKind.STDOUT, chunk(written, CHUNK));
        }
        return written;
    }

    /** Reads everything, one answer after the other. Returns the number of chunks. */
    private int readAll() {
        int chunks = 0;
        for (LogSlice slice = log.read(0, -1, plenty());
                !slice.chunks().isEmpty();
                slice = log.read(slice.nextSeq() - 1, -1, plenty())) {
            assertThat(slice.gap()).isEmpty();
            chunks += slice.chunks().size();
        }
        return chunks;
    }

    @Test
    void theProcessIsHeldUntilThereIsSpaceAndNothingIsLost() throws Exception {
        log = log(false);
        int before = writeUntilHeld();
        assertThat(before).isLessThan((int) ((32L << 20) / CHUNK));
        assertThat(budget.memoryBytes()).isEqualTo((long) before * CHUNK);

        free.set(Long.MAX_VALUE);
        assertThat(roomWithin(log, Duration.ofSeconds(20))).isTrue();
        int after = writeUntilHeld();
        assertThat(after).isPositive();
        await().untilAsserted(() -> assertThat(budget.memoryBytes()).isLessThan((long) before * CHUNK));
        assertThat(readAll()).isEqualTo(before + after);
    }

    @Test
    void aClientThatTakesTheOutputIsServedAllTheSame() throws Exception {
        log = log(true);
        int attachment = log.attach();
        for (int seq = 1; seq <= 1_500; seq++) {
            assertThat(roomWithin(log, Duration.ofSeconds(20))).isTrue();
            log.append(EventKind.STDOUT, chunk(seq, CHUNK));
            assertThat(log.nextToPush(attachment)).isPresent();
            log.pushed(seq);
        }
        assertThat(budget.memoryBytes()).isLessThanOrEqualTo(DeliveryMark.IN_DOUBT_BYTES + CHUNK);
    }
}
