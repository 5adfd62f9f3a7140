package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which thread reads a connection while its reader is away, and which threads wait for that. */
@Timeout(30)
class ReaderHandoverTest {

    private final Timers timers = new Timers();
    private final StalledReaderMonitor relief = new StalledReaderMonitor(timers);
    private final ReaderHandover turn = new ReaderHandover(relief);

    @AfterEach
    void end() {
        timers.close();
    }

    private static void spin(long nanos) {
        long from = System.nanoTime();
        while (System.nanoTime() - from < nanos) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aTurnThatNobodyCanTakeStaysWithItsReader() {
        AtomicInteger denied = new AtomicInteger();
        turn.begin(_ -> {
            denied.incrementAndGet();
            throw new OutOfMemoryError("no thread");
        });
        turn.leaveFor(() -> await().until(() -> denied.get() >= 2)); // tried again by the next check
        assertThat(turn.carryOut()).isTrue();
    }

    @Test
    void oneThatCannotBeRelievedKeepsNoOtherFromIt() {
        CountDownLatch taken = new CountDownLatch(1);
        ReaderHandover other = new ReaderHandover(relief);
        turn.begin(_ -> {
            throw new OutOfMemoryError("no thread");
        });
        other.begin(departure -> {
            if (other.take(departure)) {
                taken.countDown();
            }
        });
        other.leaveFor(() -> await().until(() -> taken.getCount() == 0));
        turn.leaveFor(() -> assertThat(other.carryOut()).isFalse());
        assertThat(turn.carryOut()).isTrue();
    }

    @Test
    void aThreadThatComesTooLateDoesNotRead() {
        AtomicInteger offers = new AtomicInteger();
        turn.begin(departure -> offers.set((int) departure));
        turn.leaveFor(() -> await().until(() -> offers.get() == 1));
        assertThat(turn.carryOut()).isTrue();
        assertThat(turn.take(1)).isFalse();
    }

    @Test
    void aCallThatFailsAfterItsReaderWasRelievedIsNotTheEndOfTheConnection() {
        CountDownLatch taken = new CountDownLatch(1);
        turn.begin(departure -> {
            if (turn.take(departure)) {
                taken.countDown();
            }
        });
        turn.leaveFor(() -> {
            await().until(() -> taken.getCount() == 0);
            throw new IllegalStateException("a bug");
        });
        assertThat(turn.carryOut()).isFalse();
    }

    /** An urgent message may be behind many calls that wait a little each. */
    @Test
    void afterACallThatHasWaitedTheReaderOnlyReadsForAWhile() {
        turn.begin(_ -> {});
        turn.leaveFor(() -> spin(ReaderHandover.EXPECTED.toNanos() + 1));
        assertThat(turn.carryOut()).isTrue();
        for (int message = 0; message < ReaderHandover.STAYS; message++) {
            assertThat(turn.mayLeave(false)).isFalse();
            assertThat(turn.carryOut()).isTrue();
        }
        assertThat(turn.mayLeave(true)).isTrue();
    }

    @Test
    void whenThePeerTakesWhatItIsSentTheWhileIsShort() {
        turn.begin(_ -> {});
        turn.leaveFor(() -> spin(ReaderHandover.EXPECTED.toNanos() + 1));
        assertThat(turn.carryOut()).isTrue();
        assertThat(turn.mayLeave(true)).isFalse();
        int messages = 1;
        while (!turn.mayLeave(true)) {
            assertThat(turn.carryOut()).isTrue();
            messages++;
        }
        assertThat(messages).isBetween(2, ReaderHandover.STAYS / 16);
    }

    @Test
    void readersThatNeverRunOutOfMessagesLetOthersHaveTheCarriers() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        int carriers = Runtime.getRuntime().availableProcessors();
        CountDownLatch busy = new CountDownLatch(carriers);
        try {
            for (int i = 0; i < carriers; i++) {
                boolean calls = i % 2 == 0;
                Threads.virtual("busy", () -> {
                    busy.countDown();
                    ReaderHandover flooded = new ReaderHandover(relief);
                    while (!stop.get()) {
                        if (calls) {
                            flooded.leaveFor(() -> {});
                        }
                        boolean _ = flooded.carryOut();
                    }
                });
            }
            busy.await();
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos()); // all of them run now
            CountDownLatch heard = new CountDownLatch(1);
            Threads.virtual("other", heard::countDown);
            assertThat(heard.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            stop.set(true);
        }
    }
}
