package dev.execserver.server.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hanging calls that step aside for other calls. */
@Timeout(60)
class FileWorkersAsideTest {
    private static final int THREADS = 2;
    private static final Duration LONG = Duration.ofMillis(10);

    private final Timers timers = new Timers();
    private final FileWorkers workers = new FileWorkers(THREADS, timers, LONG, Threads.daemons("files"));
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();

    @AfterEach
    void end() {
        release.countDown();
        workers.close();
        timers.close();
    }

    private void hang(FileClient client) {
        FileClient.onBehalfOf(
                client,
                () -> workers.submit(() -> {
                    hanging.incrementAndGet();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        hanging.decrementAndGet();
                    }
                }));
    }

    private String call(FileClient client) {
        String[] answer = new String[1];
        FileClient.onBehalfOf(client, () -> answer[0] = workers.call(() -> "answer"));
        return answer[0];
    }

    private void hangAll(int clients) {
        for (int i = 0; i < clients; i++) {
            hang(new FileClient());
        }
        await().until(hanging::get, count -> count >= clients);
    }

    @Test
    void othersAreServedThoughAllWorkersHang() {
        hangAll(THREADS);
        assertThat(call(new FileClient())).isEqualTo("answer");
        assertThat(workers.call(() -> "the server's own")).isEqualTo("the server's own");
    }

    @Test
    void whoseCallsHangGetsNoMoreThanHalfAnyway() {
        FileClient client = new FileClient();
        hang(client);
        hang(client);
        hang(new FileClient());
        await().until(hanging::get, count -> count == 2);
        assertThat(call(new FileClient())).isEqualTo("answer"); // both have stepped aside for this call
        assertThat(hanging).hasValue(2);
    }

    @Test
    void atTheBoundTheyKeepTheirPlaceAndWhenTheyReturnOthersGoOn() {
        hangAll(THREADS + FileWorkers.MAX_ASIDE);
        FileWorkers.Step<String> late = workers.start(() -> "late");
        assertThat(hanging).hasValue(THREADS + FileWorkers.MAX_ASIDE);
        release.countDown();
        assertThat(late.await()).isEqualTo("late");
        await().until(hanging::get, count -> count == 0);
        for (int i = 0; i < 100; i++) {
            assertThat(call(new FileClient())).isEqualTo("answer");
        }
    }
}
