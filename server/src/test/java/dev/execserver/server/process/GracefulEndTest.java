package dev.execserver.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GracefulEndTest {

    private static final Duration LONG = Duration.ofHours(24);

    private final Timers timers = new Timers();
    private final AtomicInteger kills = new AtomicInteger();
    private final GracefulEnd end = new GracefulEnd(timers, kills::incrementAndGet);

    @AfterEach
    void stop() {
        timers.close();
    }

    @Test
    void howeverOftenItIsAskedForThereIsOnePlan() {
        for (int i = 0; i < 10_000; i++) {
            end.within(LONG.minusMillis(i % 7));
        }

        assertThat(timers.planned()).isEqualTo(1);
        assertThat(kills).hasValue(0);
    }

    @Test
    void theSoonestEndCounts() {
        end.within(LONG);
        end.within(Duration.ofMillis(20));
        end.within(LONG);

        await().untilAtomic(kills, value -> assertThat(value).isEqualTo(1));
        assertThat(timers.planned()).isZero();
    }

    @Test
    void theTreeEndsWithItsLeader() {
        end.within(LONG);
        end.leaderGone();

        await().untilAtomic(kills, value -> assertThat(value).isEqualTo(1));
        assertThat(timers.planned()).isZero();
    }

    @Test
    void aLeaderThatEndsByItselfTakesNothingWithIt() {
        end.leaderGone();
        assertThat(kills).hasValue(0);

        end.within(LONG); // ends the processes that the leader has left behind
        await().untilAtomic(kills, value -> assertThat(value).isEqualTo(1));
    }

    @Test
    void oneThreadKillsForAllWhoAskMeanwhile() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        GracefulEnd slow = new GracefulEnd(timers, () -> {
            runs.incrementAndGet();
            begun.countDown();
            awaitUninterrupted(goOn);
        });
        slow.within(Duration.ZERO);
        begun.await();
        for (int i = 0; i < 1000; i++) {
            slow.within(Duration.ZERO);
        }
        goOn.countDown();

        await().untilAtomic(runs, value -> assertThat(value).isEqualTo(2));
        slow.within(Duration.ZERO);
        await().untilAtomic(runs, value -> assertThat(value).isEqualTo(3));
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
