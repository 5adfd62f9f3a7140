package dev.execserver.helper.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RequestWorkersTest {
    private static final int COUNT = 2;

    private final CountDownLatch hang = new CountDownLatch(1);
    private final RequestWorkers workers = new RequestWorkers(COUNT);

    @AfterEach
    void end() {
        hang.countDown();
        workers.close();
    }

    @Test
    void theReadingThreadStaysFreeWhileAllWorkersHang() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(COUNT);
        for (int i = 0; i < COUNT; i++) {
            workers.submit(1, () -> {
                started.countDown();
                await(hang);
            });
        }
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();

        AtomicReference<Thread> ranOn = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(1);
        workers.submit(1, () -> {
            ranOn.set(Thread.currentThread());
            ran.countDown();
        });
        assertThat(ran.getCount()).isOne();
        hang.countDown();
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ranOn.get()).isNotSameAs(Thread.currentThread());
    }

    @Test
    void moreBytesThanMayWaitHoldTheReadingThreadBack() {
        for (int i = 0; i < COUNT; i++) {
            workers.submit(0, () -> await(hang));
        }
        workers.submit(RequestWorkers.MAX_WAITING_BYTES + 1, () -> {});

        AtomicReference<Thread> ranOn = new AtomicReference<>();
        workers.submit(1, () -> ranOn.set(Thread.currentThread()));
        assertThat(ranOn.get()).isSameAs(Thread.currentThread());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
