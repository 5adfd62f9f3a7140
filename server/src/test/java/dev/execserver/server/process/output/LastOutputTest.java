package dev.execserver.server.process.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.PipeCalls.Pipe;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the data left in a pipe when its process ends while another process may still write to it. */
@Timeout(30)
class LastOutputTest {
    private static final Timers TIMERS = new Timers();
    private static final int PIPE_BYTES = 1 << 20;
    private static final int TOTAL = 1 << 20;

    @TempDir
    private Path directory;

    private final FileWorkers workers = new FileWorkers(2, TIMERS);
    private final Poller poller = new Poller();
    private final Pipe pipe = PipeCalls.pipe();
    private final AsyncFd written = AsyncFd.pipe(poller, pipe.writeEnd());
    private final CountDownLatch drained = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private OutputLog log;
    private OutputPump pump;

    @AfterEach
    void end() {
        log.free();
        written.close();
        await().atMost(Duration.ofSeconds(10)).until(() -> ended.getCount() == 0);
        poller.close();
        workers.close();
    }

    /** Makes a log of this size for a client that only polls, and a pump that does not run yet. */
    private void prepare(long totalBytes) {
        FileCalls.makeNonBlocking(pipe.readEnd().number());
        FileCalls.makeNonBlocking(pipe.writeEnd().number());
        assertThat(PipeCalls.enlarge(pipe.writeEnd().number(), PIPE_BYTES)).isTrue();
        RetentionBudget budget = new RetentionBudget(1L << 40, 1L << 40);
        log = new OutputLog(new OutputBounds(1 << 16, totalBytes, directory, budget), false, workers);
        AsyncFd read = AsyncFd.pipe(poller, pipe.readEnd());
        pump = new OutputPump(read, EventKind.STDOUT, new Buffers(4), log, new OutputPump.Owner() {
            @Override
            public void outputAppended(EventKind kind, byte[] chunk) {}

            @Override
            public void tellOutput() {}

            @Override
            public void drained(OutputPump which) {
                drained.countDown();
            }

            @Override
            public void ended(OutputPump which) {
                ended.countDown();
            }
        });
    }

    private void write(int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(written.tryWrite(arena.allocate(bytes))).isEqualTo(bytes);
        }
    }

    private long bytes() {
        return log.read(0, -1, OutputLogTest.plenty()).chunks().stream()
                .mapToLong(event -> event.bytes().length)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(
            value = OutputPump.Ending.class,
            names = {"REPORT", "STOP"})
    void isReadToItsEndThoughTheEndWasAnnouncedBeforeThePumpRan(OutputPump.Ending how) throws Exception {
        prepare(64 << 20);
        write(300_000);
        pump.expectEnd(how);
        Threads.virtual("pump", pump);
        assertThat((how == OutputPump.Ending.STOP ? ended : drained).await(20, TimeUnit.SECONDS))
                .isTrue();
        assertThat(bytes()).isEqualTo(300_000);
    }

    @ParameterizedTest
    @EnumSource(
            value = OutputPump.Ending.class,
            names = {"REPORT", "STOP"})
    void isReadThoughTheLogIsFullAndNobodyComesToRead(OutputPump.Ending how) throws Exception {
        prepare(TOTAL);
        log.append(EventKind.STDOUT, new byte[TOTAL]);
        write(300_000);
        Threads.virtual("pump", pump);
        assertThat(drained.await(200, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(log.nextSeq()).as("held").isEqualTo(2);
        pump.expectEnd(how);
        assertThat((how == OutputPump.Ending.STOP ? ended : drained).await(20, TimeUnit.SECONDS))
                .isTrue();
        assertThat(bytes()).isEqualTo(TOTAL + 300_000);
    }

    @Test
    void anEmptyStreamOfAProcessWhoseLogIsFullIsKnownToBeRead() throws Exception {
        prepare(TOTAL);
        log.append(EventKind.STDERR, new byte[TOTAL]);
        Threads.virtual("pump", pump);
        pump.expectEnd(OutputPump.Ending.REPORT);
        assertThat(drained.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100_000})
    void theEndThatComesLaterIsSeenThoughTheLogIsFull(int left) throws Exception {
        prepare(TOTAL);
        log.append(EventKind.STDERR, new byte[TOTAL]);
        if (left > 0) {
            write(left);
        }
        Threads.virtual("pump", pump);
        pump.expectEnd(OutputPump.Ending.REPORT);
        assertThat(drained.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ended.await(200, TimeUnit.MILLISECONDS)).isFalse();
        written.close();
        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatOthersWriteAfterwardsIsHeldAgain() throws Exception {
        prepare(TOTAL);
        log.append(EventKind.STDOUT, new byte[TOTAL]);
        write(100_000);
        pump.expectEnd(OutputPump.Ending.REPORT);
        Threads.virtual("pump", pump);
        assertThat(drained.await(20, TimeUnit.SECONDS)).isTrue();
        long seq = log.nextSeq();
        write(100_000);
        assertThat(ended.await(200, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(log.nextSeq()).isEqualTo(seq);
        log.await(seq - 1, 0, () -> false); // acknowledges all output so far
        await().atMost(Duration.ofSeconds(10)).until(() -> log.nextSeq() > seq);
    }
}
