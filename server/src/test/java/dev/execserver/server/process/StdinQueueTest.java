package dev.execserver.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.process.WriteStatus;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.server.memory.InputMemory;
import dev.execserver.server.memory.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that input reaches the kernel in order of arrival, on whichever thread. */
@Timeout(60)
class StdinQueueTest {

    private static final int PIPE_BYTES = PipeCalls.DEFAULT_BYTES;

    private final MemoryBudget share = new MemoryBudget(8 << 20, Duration.ofSeconds(1));
    private final Poller poller = new Poller();
    private AsyncFd program;
    private StdinQueue queue;

    @BeforeEach
    void connect() {
        PipeCalls.Pipe pipe = PipeCalls.pipe();
        FileCalls.makeNonBlocking(pipe.readEnd().number());
        FileCalls.makeNonBlocking(pipe.writeEnd().number());
        program = AsyncFd.pipe(poller, pipe.readEnd());
        queue = new StdinQueue("p", true, false, 4 << 20, new InputMemory(share), new Buffers(2));
        queue.connect(AsyncFd.pipe(poller, pipe.writeEnd()));
    }

    @AfterEach
    void close() {
        queue.shut();
        program.close();
        poller.close();
    }

    @Test
    void whatIsShortIsInThePipeWhenTheWriteReturns() {
        queue.write(bytes(1, StdinQueue.AT_ONCE_BYTES), Optional.empty());
        assertThat(program.backlog()).isEqualTo(StdinQueue.AT_ONCE_BYTES);
        assertThat(share.usedBytes()).isZero();
    }

    @Test
    void whatIsLongerIsWrittenByAThread() {
        byte[] input = bytes(2, StdinQueue.AT_ONCE_BYTES + 1);
        queue.write(input, Optional.empty());
        assertThat(read(input.length)).isEqualTo(input);
        await().until(() -> share.usedBytes() == 0);
    }

    @Test
    void aFullPipeKeepsNobodyWaitingAndTheOrderStays() {
        Random sizes = new Random(7);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; all.size() < 4 * PIPE_BYTES; i++) {
            byte[] input = bytes(i, 1 + sizes.nextInt(2 * StdinQueue.AT_ONCE_BYTES));
            all.writeBytes(input);
            assertThat(queue.write(input, Optional.empty())).isEqualTo(WriteStatus.ACCEPTED);
        }
        assertThat(read(all.size())).isEqualTo(all.toByteArray());
        await().until(() -> share.usedBytes() == 0);
        queue.write(bytes(9, 10), Optional.empty());
        assertThat(read(10)).isEqualTo(bytes(9, 10));
    }

    @Test
    void theEndFollowsWhatWasWrittenAtOnce() {
        queue.write(bytes(3, 100), Optional.empty());
        queue.closeInput();
        assertThat(read(100)).isEqualTo(bytes(3, 100));
        assertThat(read(1)).isEmpty();
        assertThat(queue.write(bytes(3, 1), Optional.empty())).isEqualTo(WriteStatus.STDIN_CLOSED);
    }

    @Test
    void whenNobodyCanReadAnyMoreTheNextWriteIsRefusedAndNothingIsHeld() {
        program.close();
        assertThat(queue.write(bytes(4, 100), Optional.empty())).isEqualTo(WriteStatus.ACCEPTED);
        assertThat(queue.write(bytes(4, 100), Optional.empty())).isEqualTo(WriteStatus.STDIN_CLOSED);
        assertThat(share.usedBytes()).isZero();
    }

    /** Reads so many bytes, or fewer if the stream ends. */
    private byte[] read(int count) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(PIPE_BYTES);
            int got = 1;
            while (all.size() < count && got > 0) {
                got = program.read(buffer.asSlice(0, Math.min(PIPE_BYTES, count - all.size())));
                all.writeBytes(buffer.asSlice(0, got).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return all.toByteArray();
    }

    private static byte[] bytes(int seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
