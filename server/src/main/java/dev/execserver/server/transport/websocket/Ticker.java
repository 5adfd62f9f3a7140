package dev.execserver.server.transport.websocket;

import dev.execserver.server.concurrent.Threads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Timer of a listener: one daemon platform thread that checks all connections a few times per second. This is cheaper
 * than a timer task for each connection, and late by at most one pause.
 */
final class Ticker implements AutoCloseable {
    private static final long LONGEST_PAUSE_MILLIS = 250;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final long pauseMillis;
    private final LongConsumer task;

    private Ticker(long pauseMillis, LongConsumer task) {
        this.pauseMillis = pauseMillis;
        this.task = task;
    }

    /** @param task gets {@link System#nanoTime}; must not block */
    static Ticker start(WebSocketOptions.Times times, LongConsumer task) {
        long shortest = Math.min(
                Math.min(times.pingEvery().toMillis(), times.deadAfter().toMillis()),
                Math.min(times.request().toMillis(), times.close().toMillis()));
        Ticker ticker = new Ticker(Math.clamp(shortest / 8, 1, LONGEST_PAUSE_MILLIS), task);
        Threads.daemon("ws-timer", ticker::run);
        return ticker;
    }

    /** Waits until the condition holds, but not longer than {@code limit}. */
    void await(BooleanSupplier condition, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0 && !pause(5)) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        stopped.countDown();
    }

    private void run() {
        while (!pause(pauseMillis)) {
            task.accept(System.nanoTime());
        }
    }

    /** Returns true if the ticker was stopped. */
    private boolean pause(long millis) {
        try {
            return stopped.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
