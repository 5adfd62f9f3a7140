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

/** Tests the log of a process on a terminal whose client reads its output. */
@Timeout(60)
class OutputLogTerminalTest {
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

    @Test
    void c03_aTerminalThatIsReadIsHeldAtTheMemoryWindowWhileItsClientIsThere() throws Exception {
        OutputLog log = new OutputLog(new OutputBounds(MEMORY, TOTAL, directory, budget), false, true, workers);
        int unused = log.attach();
        for (long bytes = 0; bytes < MEMORY; bytes += CHUNK) {
            assertThat(OutputLogTest.roomWithin(log, Duration.ofSeconds(10))).isTrue();
            log.append(EventKind.STDOUT, OutputLogTest.chunk(1, CHUNK));
        }
        assertThat(OutputLogTest.roomWithin(log, Duration.ofMillis(50)))
                .as("nobody has read")
                .isFalse();

        log.detach();

        assertThat(OutputLogTest.roomWithin(log, Duration.ofSeconds(10)))
                .as("the program goes on without a connection")
                .isTrue();
    }
}
