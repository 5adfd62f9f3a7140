package dev.execserver.server.process.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that events of any size count against the memory. */
@Timeout(30)
class EventBoundTest {
    private static final Timers TIMERS = new Timers();

    @TempDir
    private Path directory;

    private final FileWorkers workers = new FileWorkers(2, TIMERS);

    @AfterEach
    void stopWorkers() {
        workers.close();
    }

    @Test
    void whileTheServerKeepsTooManyEventsAProcessIsHeldWithFewAndGoesOnWhenTheyAreTaken() throws Exception {
        RetentionBudget few = new RetentionBudget(2 * 4_000 * EntryRing.EVENT_BYTES, 1L << 40);
        OutputLog log = new OutputLog(new OutputBounds(1 << 20, 4 << 20, directory, few), false, workers);
        OutputLog other = new OutputLog(new OutputBounds(1 << 20, 4 << 20, directory, few), false, workers);
        for (int i = 0; i < 4_001; i++) {
            other.append(EventKind.STDOUT, new byte[1]);
        }
        assertThat(few.crowded()).isTrue();
        for (int i = 0; i < EntryRing.MIN_EVENTS; i++) {
            log.awaitRoom(() -> false);
            log.append(EventKind.STDOUT, new byte[] {(byte) i});
        }
        assertThat(OutputLogTest.roomWithin(log, Duration.ofMillis(200))).isFalse();
        assertThat(log.read(0, -1, OutputLogTest.plenty()).chunks()).hasSize(EntryRing.MIN_EVENTS);
        log.await(EntryRing.MIN_EVENTS, 0, () -> false);
        assertThat(OutputLogTest.roomWithin(log, Duration.ofSeconds(10))).isTrue();
        other.free();
        assertThat(few.crowded()).isFalse();
        log.free();
        assertThat(few.eventBytes()).isZero();
    }

    @Test
    void manyEventsComeAndGoWithoutLeavingTheirPlacesBehind() {
        EntryRing ring = new EntryRing(new RetentionBudget(1L << 40, 1L << 40));
        for (int i = 1; i <= 50_000; i++) {
            ring.add(EventKind.STDOUT, OutputLogTest.chunk(i, 2));
            if (i % 3 != 0) {
                ring.removeFirst();
            }
        }
        while (ring.size() > 1) {
            assertThat(ring.dataOf(ring.firstSeq())).isEqualTo(OutputLogTest.chunk((int) ring.firstSeq(), 2));
            ring.removeFirst();
        }
        assertThat(ring.capacity()).isLessThanOrEqualTo(16);
        assertThat(ring.retainedBytes()).isEqualTo(2);
    }
}
