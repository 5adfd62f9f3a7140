package dev.execserver.server.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.InMemoryTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OutboundTest {

    private InMemoryTransport.Pair pair = InMemoryTransport.pair(4);
    private Outbound outbound = start(pair);

    private static Outbound start(InMemoryTransport.Pair pair) {
        Outbound outbound = new Outbound(pair.server(), new BufferPool());
        Threads.virtual("writer", outbound::runWriter);
        return outbound;
    }

    @AfterEach
    void close() {
        pair.client().close(CloseReason.NORMAL);
        outbound.close();
    }

    private static MessageBuffer message(String text) {
        MessageBuffer buffer = new MessageBuffer();
        buffer.ascii(text);
        return buffer;
    }

    private static AnswerMemory memory() {
        return new AnswerMemory(new MemoryBudget(Long.MAX_VALUE, Duration.ZERO));
    }

    private String receive() throws IOException {
        return new String(pair.client().read().orElseThrow().bytes(), StandardCharsets.UTF_8);
    }

    /** Source of the numbers from 1 to a limit. */
    private static final class Numbers implements PushSource {
        private final String name;
        private final int limit;
        private final AtomicInteger next = new AtomicInteger(1);
        private volatile int written;

        Numbers(String name, int limit) {
            this.name = name;
            this.limit = limit;
        }

        @Override
        public boolean encodeNext(MessageBuffer out) {
            if (next.get() > limit) {
                return false;
            }
            out.ascii(name + next.getAndIncrement());
            return true;
        }

        @Override
        public void written() {
            written = next.get() - 1;
        }
    }

    @Test
    void answersComeInTheOrderInWhichTheyWereGiven() throws IOException {
        Threads.virtual("producer", () -> {
            for (int i = 0; i < 100; i++) {
                outbound.send(message("a" + i), memory());
            }
        });
        for (int i = 0; i < 100; i++) {
            assertThat(receive()).isEqualTo("a" + i);
        }
    }

    @Test
    void aSourceIsPulledUntilItHasNothingMoreAndThenToldThatAllIsWritten() throws IOException {
        Numbers numbers = new Numbers("n", 1000);
        Threads.virtual("producer", () -> outbound.schedule(numbers));
        for (int i = 1; i <= 1000; i++) {
            assertThat(receive()).isEqualTo("n" + i);
        }
        await().until(() -> numbers.written == 1000);
    }

    @Test
    void b44_manyProducersEachKeepTheirOrder() throws IOException {
        int producers = 16;
        int each = 200;
        List<Numbers> sources = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            Numbers source = new Numbers("s" + p + ":", each);
            sources.add(source);
            Threads.virtual("producer", () -> outbound.schedule(source));
        }
        int[] last = new int[producers];
        for (int i = 0; i < producers * each; i++) {
            String[] parts = receive().substring(1).split(":");
            int producer = Integer.parseInt(parts[0]);
            assertThat(Integer.parseInt(parts[1])).isEqualTo(++last[producer]);
        }
        assertThat(last).containsOnly(each);
    }

    @Test
    void whatWasAnsweredBeforeASourceHadItsFirstEventLeavesBeforeIt() throws IOException {
        Numbers busy = new Numbers("n", Integer.MAX_VALUE);
        Threads.virtual("producer", () -> outbound.schedule(busy));
        for (int i = 0; i < 200; i++) {
            String name = "s" + i + ":";
            Threads.virtual("request", () -> {
                outbound.send(message("answer " + name), memory());
                Numbers events = new Numbers(name, 1);
                outbound.announce(events);
                outbound.schedule(events);
            });
        }
        Set<String> answered = new HashSet<>();
        for (int events = 0; events < 200; ) {
            String text = receive();
            if (text.startsWith("answer ")) {
                answered.add(text.substring("answer ".length()));
            } else if (text.startsWith("s")) {
                events++;
                assertThat(answered).contains(text.substring(0, text.length() - 1));
            }
        }
    }

    @Test
    void whoeverWritesTakesAlongWhatWasAnnounced() throws Exception {
        Numbers numbers = new Numbers("n", 2);
        outbound.announce(numbers);
        assertThat(numbers.next.get()).isEqualTo(1);

        outbound.send(message("answer"), memory());

        assertThat(receive()).isEqualTo("answer");
        assertThat(receive()).isEqualTo("n1");
        assertThat(receive()).isEqualTo("n2");
        outbound.schedule(numbers);
        outbound.send(message("last"), memory());
        assertThat(receive()).isEqualTo("last");
    }

    @Test
    void whatWasAnnouncedIsWrittenOnceItIsScheduledThoughNobodyElseWrites() throws Exception {
        Numbers numbers = new Numbers("n", 1);
        outbound.announce(numbers);
        outbound.schedule(numbers);
        assertThat(receive()).isEqualTo("n1");
        await().until(() -> numbers.written == 1);
    }

    @Test
    void whoWritesIsNotKeptByEventsThatNeverEnd() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        outbound.announce(new Numbers("n", Integer.MAX_VALUE));
        Threads.virtual("request", () -> {
            outbound.send(message("answer"), memory());
            done.countDown();
        });
        List<String> received = new ArrayList<>();
        for (int i = 0; i <= 2000; i++) {
            received.add(receive());
        }
        // The writer thread may have begun with the events.
        assertThat(received).contains("answer").endsWith("n2000");
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anAnswerDoesNotWaitBehindAllEventsOfAFastSource() throws IOException {
        Numbers endless = new Numbers("n", Integer.MAX_VALUE);
        Threads.virtual("producer", () -> outbound.schedule(endless));
        assertThat(receive()).isEqualTo("n1");
        Threads.virtual("request", () -> outbound.send(message("answer"), memory()));
        int before = 0;
        while (!receive().equals("answer")) {
            before++;
        }
        assertThat(before).isLessThan(2000);
    }

    @Test
    void aProducerWaitsWhenTooMuchIsQueuedAndGoesOnWhenThePeerReads() throws Exception {
        int size = 1 << 20;
        CountDownLatch done = new CountDownLatch(1);
        AtomicInteger sent = new AtomicInteger();
        Threads.virtual("producer", () -> {
            for (int i = 0; i < 40; i++) {
                outbound.send(message("x".repeat(size)), memory());
                sent.incrementAndGet();
            }
            done.countDown();
        });
        await().until(() -> sent.get() >= 4);
        assertThat(done.getCount()).isEqualTo(1);
        for (int i = 0; i < 40; i++) {
            assertThat(receive()).hasSize(size);
        }
        done.await();
    }

    @Test
    void offersFailInsteadOfWaiting() {
        int accepted = 0;
        while (accepted < 100 && outbound.offer(message("x".repeat(1 << 20)), () -> {})) {
            accepted++;
        }
        assertThat(accepted).isBetween(16, 30);
    }

    @Test
    void smallAnswersCountWithAllThatTheyHold() {
        long each = message("x").capacity() + QueuedAnswer.OWN_BYTES;
        int accepted = 0;
        while (accepted < 1_000_000 && outbound.offer(message("x"), () -> {})) {
            accepted++;
        }
        long most = Outbound.MAX_QUEUED_BYTES / each;
        assertThat((long) accepted).isBetween(most, most + 2_000);
    }

    @Test
    void ofEveryAnswerItIsToldOnceThatItIsGone() throws Exception {
        AtomicInteger gone = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            Threads.virtual("producer", () -> outbound.send(message("x"), memory(), gone::incrementAndGet));
        }
        for (int i = 0; i < 50; i++) {
            receive();
        }
        pair.client().close(CloseReason.NORMAL);
        outbound.close();
        await().until(() -> gone.get() == 100);
        assertThat(outbound.offer(message("late"), gone::incrementAndGet)).isFalse();
        outbound.send(message("late"), memory(), gone::incrementAndGet);
        assertThat(gone.get()).isEqualTo(101);
    }

    @Test
    void everybodyWhoWaitsIsLetGoWhenTheConnectionIsLost() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Threads.virtual("producer", () -> {
            for (int i = 0; i < 60; i++) {
                outbound.send(message("x".repeat(1 << 20)), memory());
            }
            done.countDown();
        });
        pair.client().close(CloseReason.NORMAL);
        done.await();
        outbound.send(message("late"), memory());
        outbound.schedule(new Numbers("n", 1));
    }

    @Test
    void anAnswerHoldsItsMemoryUntilItWasWrittenOrDropped() throws Exception {
        MemoryBudget share = new MemoryBudget(Long.MAX_VALUE, Duration.ZERO);
        for (int i = 0; i < 10; i++) {
            AnswerMemory memory = new AnswerMemory(share);
            memory.reserve(3 << 20);
            Threads.virtual("producer", () -> outbound.send(message("x".repeat(1 << 20)), memory));
        }
        await().until(() -> share.usedBytes() >= 5 << 20);
        assertThat(receive()).hasSize(1 << 20);
        pair.client().close(CloseReason.NORMAL);
        outbound.close();
        await().until(() -> share.usedBytes() == 0);
    }

    @Test
    void drainedMeansThatEverythingQueuedIsOut() throws Exception {
        assertThat(outbound.awaitDrained(Duration.ofSeconds(5))).isTrue();
        for (int i = 0; i < 6; i++) {
            assertThat(outbound.offer(message("x".repeat(1 << 20)), () -> {})).isTrue();
        }
        assertThat(outbound.awaitDrained(Duration.ofMillis(20))).isFalse();
        for (int i = 0; i < 6; i++) {
            receive();
        }
        assertThat(outbound.awaitDrained(Duration.ofSeconds(5))).isTrue();
    }
}
