package dev.execserver.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.TimeScaledRetry;
import dev.execserver.server.concurrent.Threads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MemoryBudgetTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void whatFitsIsTakenToTheLastByteAndNotOneMore() {
        MemoryBudget share = new MemoryBudget(100, Duration.ZERO);
        assertThat(share.tryReserve(60)).isTrue();
        assertThat(share.tryReserve(41)).isFalse();
        assertThat(share.tryReserve(40)).isTrue();
        assertThat(share.reserve(1)).isFalse();
        share.release(1);
        assertThat(share.reserve(1)).isTrue();
        assertThat(share.usedBytes()).isEqualTo(100);
    }

    @Test
    void whoNeedsMoreThanThereIsWaitsUntilSomethingIsGivenBack() throws Exception {
        MemoryBudget share = new MemoryBudget(100, LONG);
        assertThat(share.tryReserve(100)).isTrue();
        CountDownLatch done = new CountDownLatch(20);
        for (int i = 0; i < 20; i++) {
            Threads.virtual("waiter", () -> {
                if (share.reserve(10)) {
                    share.release(10);
                    done.countDown();
                }
            });
        }
        share.release(55);
        done.await();
        assertThat(share.usedBytes()).isEqualTo(45);
    }

    /** Starts a thread that waits for bytes. The latch opens when it has them. */
    private static CountDownLatch waiter(MemoryBudget share, long held, long bytes) {
        CountDownLatch got = new CountDownLatch(1);
        Threads.virtual("waiter", () -> {
            if (share.reserveMore(held, bytes)) {
                got.countDown();
            }
        });
        return got;
    }

    private static void awaitWaiting(MemoryBudget share, int count) {
        await().until(() -> share.waiting() == count);
    }

    @Test
    void whoCameFirstIsServedFirstAndNobodyGoesPastHim() throws Exception {
        MemoryBudget share = new MemoryBudget(1000, LONG);
        assertThat(share.tryReserve(1000)).isTrue();
        CountDownLatch large = waiter(share, 0, 500);
        awaitWaiting(share, 1);
        CountDownLatch later = waiter(share, 0, 100);
        awaitWaiting(share, 2);
        share.release(300);
        assertThat(share.tryReserve(100)).isFalse();
        assertThat(later.getCount()).isEqualTo(1);
        share.release(300);
        large.await();
        later.await();
        assertThat(share.usedBytes()).isEqualTo(1000);
    }

    @Test
    void nextToNothingGoesPastThoseWhoWait() {
        MemoryBudget share = new MemoryBudget(256_000, LONG);
        assertThat(share.tryReserve(250_000)).isTrue();
        waiter(share, 0, 100_000);
        awaitWaiting(share, 1);
        assertThat(share.reserve(1_000)).isTrue();
        assertThat(share.tryReserve(1_001)).isFalse();
        share.release(251_000);
        awaitWaiting(share, 0);
    }

    @Test
    void whoHoldsBytesGoesFirstAndTheOneWhoWouldCloseTheCircleIsRefusedAtOnce() throws Exception {
        MemoryBudget share = new MemoryBudget(1000, LONG);
        assertThat(share.tryReserve(400)).isTrue();
        assertThat(share.tryReserve(400)).isTrue();
        CountDownLatch nobody = waiter(share, 0, 300);
        awaitWaiting(share, 1);
        CountDownLatch first = waiter(share, 400, 500);
        awaitWaiting(share, 2);
        assertThat(share.reserveMore(400, 300)).isFalse();
        share.release(400);
        first.await();
        assertThat(nobody.getCount()).isEqualTo(1);
        share.release(900);
        nobody.await();
    }

    @Test
    void whileSomebodyWaitsOthersAreAskedToGiveBack() {
        MemoryBudget share = new MemoryBudget(1000, LONG);
        assertThat(share.tryReserve(1000)).isTrue();
        share.whenShort(() -> share.release(1000));
        assertThat(share.reserve(900)).isTrue();
        assertThat(share.usedBytes()).isEqualTo(900);
    }

    @Test
    void ofManyWhoWaitOneAsksForAll() throws Exception {
        MemoryBudget share = new MemoryBudget(1000, LONG);
        assertThat(share.tryReserve(1000)).isTrue();
        long from = System.nanoTime();
        CountDownLatch asked = new CountDownLatch(3);
        AtomicInteger times = new AtomicInteger();
        share.whenShort(() -> {
            times.incrementAndGet();
            asked.countDown();
        });
        for (int i = 0; i < 100; i++) {
            waiter(share, 0, 500);
        }
        asked.await();
        assertThat((long) times.get()).isLessThanOrEqualTo((System.nanoTime() - from) / 1_000_000_000L);
    }

    @Test
    void whenTheOneWhoAsksWasServedAnotherAsks() throws Exception {
        MemoryBudget share = new MemoryBudget(1000, LONG);
        assertThat(share.tryReserve(1000)).isTrue();
        CountDownLatch first = waiter(share, 0, 100);
        awaitWaiting(share, 1);
        CountDownLatch second = waiter(share, 0, 1000);
        awaitWaiting(share, 2);
        share.release(100);
        first.await();
        CountDownLatch asked = new CountDownLatch(1);
        share.whenShort(asked::countDown);
        asked.await();
        share.release(1000);
        second.await();
    }

    @Test
    void whoWaitsInAQueueThatMovesIsNotRefused() throws Exception {
        TimeScaledRetry.from(Duration.ofMillis(300), patience -> {
            MemoryBudget share = new MemoryBudget(100, patience);
            Executor afterAWhile =
                    CompletableFuture.delayedExecutor(patience.toMillis() * 7 / 20, TimeUnit.MILLISECONDS);
            long start = System.nanoTime();
            CountDownLatch ended = new CountDownLatch(5);
            AtomicInteger served = new AtomicInteger();
            for (int i = 0; i < 5; i++) {
                Threads.virtual("waiter", () -> {
                    if (share.reserve(100)) {
                        served.incrementAndGet();
                        afterAWhile.execute(() -> share.release(100));
                    }
                    ended.countDown();
                });
            }
            ended.await();
            assertThat(served).hasValue(5);
            assertThat(System.nanoTime() - start).isGreaterThan(patience.toNanos());
        });
    }

    @Test
    void moreThanTheWholeShareIsRefusedWithoutWaiting() {
        assertThat(new MemoryBudget(100, LONG).reserve(101)).isFalse();
    }

    @Test
    void manyThreadsNeverTakeMoreThanThereIs() throws Exception {
        MemoryBudget share = new MemoryBudget(1000, LONG);
        AtomicInteger worst = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(50);
        for (int i = 0; i < 50; i++) {
            int size = 1 + i * 7;
            Threads.virtual("taker", () -> {
                for (int round = 0; round < 200; round++) {
                    if (share.reserve(size)) {
                        worst.accumulateAndGet((int) share.usedBytes(), Math::max);
                        share.release(size);
                    }
                }
                done.countDown();
            });
        }
        done.await();
        assertThat(worst.get()).isBetween(1, 1000);
        assertThat(share.usedBytes()).isZero();
    }

    @Test
    void anAnswerThatGrowsBeyondTheShareIsRefusedAndGivesBackWhatItHad() {
        MemoryBudget share = new MemoryBudget(100_000, Duration.ofMillis(1));
        AnswerMemory memory = new AnswerMemory(share);
        MessageBuffer message = new MessageBuffer(memory);
        message.ascii("x".repeat(60_000));
        assertThat(share.usedBytes()).isBetween(60_000L - 4096, 100_000L);
        assertThatThrownBy(() -> message.ascii("x".repeat(60_000)))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("--request-memory-bytes")
                .satisfies(
                        e -> assertThat(((RpcException) e).data().orElseThrow().toString())
                                .contains("answerMemory"));
        assertThat(message.length()).isEqualTo(60_000);
        memory.release();
        memory.release();
        assertThat(share.usedBytes()).isZero();
    }

    @Test
    void smallAnswersAreNotCounted() {
        MemoryBudget share = new MemoryBudget(10, Duration.ZERO);
        AnswerMemory memory = new AnswerMemory(share);
        new MessageBuffer(memory).ascii("x".repeat(1_000));
        assertThat(memory.tryTakeAhead(1536)).isTrue();
        assertThat(memory.tryTakeAhead(1537)).isFalse();
        assertThat(share.usedBytes()).isZero();
    }

    @Test
    void whatAProcessKeepsIsGivenBackOnceHoweverItEnds() {
        MemoryBudget share = new MemoryBudget(100, Duration.ZERO);
        InputMemory first = new InputMemory(share);
        first.reserve(70, "input of process p");
        InputMemory second = new InputMemory(share);
        assertThatThrownBy(() -> second.reserve(31, "input of process q"))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("input of process q, 31 bytes")
                .hasMessageContaining("70 of 100");
        first.release(20);
        first.close();
        first.release(50);
        first.close();
        first.reserve(1000, "anything");
        await().until(() -> share.usedBytes() == 0);
    }

    @Test
    void aThreadThatMustNotWaitIsToldAndTheRequestBeginsAnewWithWhatItNeeds() {
        MemoryBudget share = new MemoryBudget(100_000, LONG);
        assertThat(share.tryReserve(60_000)).isTrue();
        AnswerMemory memory = new AnswerMemory(share);
        memory.setWaiting(false);
        memory.reserve(30_000);
        AnswerMemory.ShortException needed =
                catchThrowableOfType(AnswerMemory.ShortException.class, () -> memory.reserve(20_000));
        assertThat(needed.bytes()).isEqualTo(50_000);
        Threads.virtual("other", () -> share.release(60_000));
        memory.setWaiting(true);
        memory.beginAnew(needed.bytes());
        memory.setWaiting(false);
        memory.reserve(30_000);
        memory.reserve(20_000);
        assertThat(share.usedBytes()).isEqualTo(50_000);
        memory.release();
        assertThat(share.usedBytes()).isZero();
    }
}
