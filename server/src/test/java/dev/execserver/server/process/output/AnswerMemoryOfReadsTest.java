package dev.execserver.server.process.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.rpc.EnvelopeDecoder;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class AnswerMemoryOfReadsTest {
    private static final Timers TIMERS = new Timers();

    private static final int CHUNK = 64 * 1024;

    @TempDir
    private Path directory;

    private final FileWorkers workers = new FileWorkers(2, TIMERS);
    private OutputLog log;

    @AfterEach
    void stopWorkers() {
        workers.close();
    }

    private void log(int chunks, int bytes) {
        RetentionBudget budget = new RetentionBudget(1L << 40, 1L << 40);
        log = new OutputLog(new OutputBounds(256 * 1024, 64L << 20, directory, budget), false, workers);
        for (int i = 0; i < chunks; i++) {
            log.append(EventKind.STDERR, new byte[bytes]);
        }
    }

    private static MessageBuffer encode(LogSlice slice, AnswerMemory memory) {
        MessageBuffer out = new MessageBuffer(memory);
        ReadResults.of(slice).writeDirect(out);
        memory.keepOnly(out.capacity());
        return out;
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,65536", "100,65536", "20000,1", "1000,4097"})
    void whatAReadTakesIsEnoughForItsAnswer(int chunks, int bytes) {
        log(chunks, bytes);
        MemoryBudget share = new MemoryBudget(1L << 30, Duration.ZERO);
        AnswerMemory memory = new AnswerMemory(share);
        LogSlice slice = log.read(0, -1, memory);
        long taken = share.usedBytes();
        MessageBuffer out = encode(slice, memory);
        assertThat((long) out.length()).isLessThanOrEqualTo(ReadResult.encodedBytes(chunks, (long) chunks * bytes));
        assertThat(share.usedBytes()).isLessThanOrEqualTo(taken);
        memory.release();
        assertThat(share.usedBytes()).isZero();
    }

    /** The real client closes its connection at a message with more values. */
    @Test
    void howeverSmallTheChunksAreAnAnswerWithAllOfThemHasNoMoreValuesThanClientsTake() throws Exception {
        log(EntryRing.MAX_EVENTS, 1);
        log.exited(new Exit(0, Optional.empty()));
        log.closed(Optional.empty());
        MessageBuffer out = new MessageBuffer();
        AnswerMemory memory = new AnswerMemory(new MemoryBudget(1L << 30, Duration.ZERO));
        MessageEncoder.response(out, RequestId.of(1), ReadResults.of(log.read(0, -1, memory)));
        assertThatCode(() -> EnvelopeDecoder.decode(out.toByteArray(), 0, out.length()))
                .doesNotThrowAnyException();
    }

    @Test
    void aReadIsContentWithLessWhileTheMemoryForAnswersIsShort() {
        log(200, CHUNK);
        MemoryBudget share = new MemoryBudget(100L * CHUNK, Duration.ofSeconds(20));
        AnswerMemory first = new AnswerMemory(share);
        assertThat(log.read(0, -1, first).chunks()).hasSize(16); // a sixth of the share
        assertThat(share.tryReserve(60L * CHUNK)).isTrue();
        LogSlice one = log.read(16, -1, new AnswerMemory(share));
        assertThat(one.chunks()).hasSize(1);
        assertThat(one.nextSeq()).isEqualTo(18);
    }

    @Test
    void manyLargeReadsAtOnceAllEndThoughTheirAnswersTogetherNeedMoreThanThereIs() throws Exception {
        log(128, CHUNK);
        MemoryBudget share = new MemoryBudget(32L << 20, Duration.ofSeconds(30));
        Queue<RpcException> failures = new ConcurrentLinkedQueue<>();
        int readers = 24;
        CountDownLatch done = new CountDownLatch(readers);
        for (int i = 0; i < readers; i++) {
            Threads.virtual("reader", () -> {
                AnswerMemory memory = new AnswerMemory(share);
                try {
                    for (long cursor = 0; cursor < 128; ) {
                        LogSlice slice = log.read(cursor, -1, memory);
                        cursor = slice.nextSeq() - 1;
                        encode(slice, memory);
                        memory.release();
                    }
                } catch (RpcException e) {
                    failures.add(e);
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        assertThat(failures).isEmpty();
        assertThat(share.usedBytes()).isZero();
    }
}
