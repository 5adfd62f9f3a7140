package dev.execserver.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.ServerMemory;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LineQueueTest {
    private static final int LINE_BYTES = 2;
    private static final int CHUNK_BYTES = 64 * 1024;

    /** Endless stream of lines of one byte each. */
    private static final class TinyLines extends InputStream {
        private final AtomicLong given = new AtomicLong();

        @Override
        public int read() {
            throw new UnsupportedOperationException("reads come in chunks");
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            for (int i = 0; i < length; i++) {
                into[offset + i] = (byte) ((given.get() + i) % LINE_BYTES == 0 ? '1' : '\n');
            }
            given.addAndGet(length);
            return length;
        }
    }

    @Test
    void linesOfOneByteCountWithWhatItTakesToHoldThem() throws IOException {
        LineQueue queue = new LineQueue();
        TinyLines in = new TinyLines();
        Thread reader = Threads.daemon(
                "reader",
                () -> queue.fill(
                        new LineReader(in, 1000, ServerMemory.of(1 << 20).received())));
        await().until(() -> reader.getState() == Thread.State.WAITING);

        long most = LineQueue.MAX_BYTES / LineQueue.ENTRY_BYTES;
        assertThat(in.given.get() / LINE_BYTES).isBetween(most / 2, most + CHUNK_BYTES / LINE_BYTES);
        for (int i = 0; i < 2 * most; i++) {
            assertThat(queue.take().orElseThrow()).isEqualTo(new byte[] {'1'});
        }
        queue.close();
    }
}
