package dev.execserver.server.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shares of the workers that one client leaves to others. */
@Timeout(60)
class FileWorkersFairnessTest {
    private final Timers timers = new Timers();
    private final FileWorkers workers = new FileWorkers(8, timers);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();

    @AfterEach
    void end() {
        release.countDown();
        workers.close();
        timers.close();
    }

    private void hang(FileClient client, int calls) {
        FileClient.onBehalfOf(client, () -> {
            for (int i = 0; i < calls; i++) {
                workers.submit(() -> {
                    hanging.incrementAndGet();
                    waitFor(release);
                });
            }
        });
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void halfOfTheWorkersStayFreeOfOneClientWhoseCallsHang() {
        hang(new FileClient(), 100);
        FileClient.onBehalfOf(
                new FileClient(), () -> assertThat(workers.call(() -> "answer")).isEqualTo("answer"));
        assertThat(workers.call(() -> "the server's own")).isEqualTo("the server's own");
        assertThat(hanging).hasValue(4);
    }

    @Test
    void severalSuchClientsShareWhatIsLeft() {
        hang(new FileClient(), 100);
        hang(new FileClient(), 100);
        hang(new FileClient(), 100);
        assertThat(workers.call(() -> "answer")).isEqualTo("answer");
        await().until(hanging::get, count -> count == 7);
    }

    @Test
    void whatWaitsIsDoneInTurnsOfTheClients() {
        FileClient many = new FileClient();
        FileClient few = new FileClient();
        try (FileWorkers one = new FileWorkers(1, timers)) {
            List<String> order = new CopyOnWriteArrayList<>();
            CountDownLatch begin = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(7);
            one.submit(() -> waitFor(begin));
            submit(one, many, 5, () -> order.add("many"), done);
            submit(one, few, 2, () -> order.add("few"), done);
            begin.countDown();
            waitFor(done);
            assertThat(order).containsExactly("many", "few", "many", "few", "many", "many", "many");
        }
    }

    private static void submit(FileWorkers to, FileClient client, int calls, Runnable work, CountDownLatch done) {
        FileClient.onBehalfOf(client, () -> {
            for (int i = 0; i < calls; i++) {
                to.submit(() -> {
                    work.run();
                    done.countDown();
                });
            }
        });
    }

    @Test
    void oneClientFillsHalfOfTheQueueAtMost() {
        FileClient greedy = new FileClient();
        hang(greedy, 4 + FileWorkers.MAX_WAITING_OF_ONE);
        assertThatThrownBy(() -> hang(greedy, 1))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("--fs-threads");
        assertThat(workers.call(() -> "answer")).isEqualTo("answer");
    }

    @Test
    void whatWaitedIsDoneWhenTheHangingCallsReturn() {
        FileClient client = new FileClient();
        hang(client, 1000);
        release.countDown();
        await().until(hanging::get, count -> count == 1000);
        FileClient.onBehalfOf(client, () -> assertThat(workers.call(() -> 1)).isEqualTo(1));
    }

    @Test
    void afterItsEndItSaysSo() {
        workers.close();
        assertThatThrownBy(() -> workers.call(() -> 1))
                .isInstanceOf(RpcException.class)
                .hasMessage("the server is shutting down");
    }
}
