package dev.execserver.server.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TimersTest {

    /** The starter fails as on a machine without free threads. */
    @Test
    void workWhoseThreadCannotBeStartedIsDoneLater() throws InterruptedException {
        AtomicInteger denied = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        try (Timers timers = new Timers((name, work) -> {
            if (denied.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("no thread");
            }
            Threads.virtual(name, work);
        })) {
            var _ = timers.after(Duration.ZERO, "work", done::countDown);
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(denied).hasValue(3);
    }
}
