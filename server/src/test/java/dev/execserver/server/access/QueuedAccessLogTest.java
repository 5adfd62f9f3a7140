package dev.execserver.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QueuedAccessLogTest {
    private static final String TEXT = "x".repeat(AccessEvent.MAX_TEXT);

    /** Collects lines; fails and blocks when told to. */
    private static final class TestSink implements LineSink {
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();
        private final CountDownLatch writing = new CountDownLatch(1);
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean full;

        @Override
        public void write(byte[] bytes) throws IOException {
            boolean failing = full; // before the test learns of this write and may change it
            writing.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (failing) {
                throw new IOException("No space left on device");
            }
            lines.addAll(List.of(new String(bytes, StandardCharsets.UTF_8).split("\n")));
        }

        @Override
        public void close() {}
    }

    private final TestSink sink = new TestSink();
    private final QueuedAccessLog log = new QueuedAccessLog(LineFormat.TEXT, sink, ArgumentStyle.FULL);

    private static AccessEvent event(long number) {
        return AccessEvent.of(AccessKind.PROCESS_STARTED)
                .put(AccessField.COUNT, number)
                .put(AccessField.REASON, TEXT);
    }

    private long lost() {
        return sink.lines.stream()
                .filter(line -> line.contains(AccessKind.EVENTS_LOST.text()))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf("execserver.count=") + 17)))
                .sum();
    }

    private long written() {
        return sink.lines.stream()
                .filter(line -> line.contains("process.started"))
                .count();
    }

    @Test
    void everyEventIsWrittenInOrder() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            log.write(event(i));
        }
        log.close();
        assertThat(sink.lines).hasSize(1_000);
        assertThat(sink.lines.stream()
                        .filter(line -> !line.contains("execserver.count="))
                        .toList())
                .isEmpty();
        assertThat(sink.lines.peek()).contains("execserver.count=0");
    }

    @Test
    void aReaderThatHangsHoldsUpNobodyAndWhatIsLostIsCounted() throws Exception {
        sink.gate = new CountDownLatch(1);
        log.write(event(0));
        sink.writing.await();
        int sent = 20_000;
        for (int i = 1; i < sent; i++) {
            log.write(event(i));
        }
        sink.gate.countDown();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(written() + lost()).isEqualTo(sent));
        assertThat(lost()).isPositive();
        log.close();
    }

    @Test
    void whatAFullDiskHasLostIsCountedWhenThereIsRoomAgain() throws Exception {
        sink.full = true;
        log.write(event(0));
        sink.writing.await();
        log.write(event(1));
        sink.full = false;
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(written() + lost()).isEqualTo(2));
        assertThat(lost()).isPositive();
        log.close();
    }

    @Test
    void theEndComesAlsoWithADiskThatStaysFull() throws IOException {
        sink.full = true;
        log.write(event(0));
        log.close();
        assertThat(sink.lines).isEmpty();
    }
}
