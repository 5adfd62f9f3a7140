package dev.execserver.server.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.RpcException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Machines that deny new threads, as a container does at its pids limit. */
@Timeout(30)
class FileWorkersThreadsTest {
    private final Timers timers = new Timers();

    @AfterEach
    void end() {
        timers.close();
    }

    /** Makes threads up to a limit, and then fails as the JVM does. */
    private static ThreadFactory atMost(int threads) {
        AtomicInteger left = new AtomicInteger(threads);
        ThreadFactory daemons = Threads.daemons("few");
        return work -> {
            if (left.getAndDecrement() <= 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return daemons.newThread(work);
        };
    }

    @Test
    void theWorkersThatRunDoTheWorkOfThoseThatCannotBeStarted() throws InterruptedException {
        try (FileWorkers workers = new FileWorkers(4, timers, FileWorkers.LONG, atMost(1))) {
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(3);
            for (int i = 0; i < 3; i++) {
                workers.submit(() -> {
                    await(busy);
                    done.countDown();
                });
            }
            busy.countDown();
            done.await();
            assertThat(workers.call(() -> "answer")).isEqualTo("answer");
        }
    }

    @Test
    void withoutAnyWorkerTheCallFailsWithTheReason() {
        try (FileWorkers workers = new FileWorkers(4, timers, FileWorkers.LONG, atMost(0))) {
            assertThatThrownBy(() -> workers.call(() -> "answer"))
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining("Resource temporarily unavailable");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
