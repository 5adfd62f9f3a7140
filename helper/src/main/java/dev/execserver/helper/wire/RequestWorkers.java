package dev.execserver.helper.wire;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that run requests, and the queue before them. The reading thread must stay free, or it would not hear that the
 * server has cancelled a request; so it runs a request itself only if the queue has no room. One thread submits; no locks.
 */
final class RequestWorkers implements AutoCloseable {
    /** Bytes of requests that may wait for a worker. A larger request may wait alone. */
    static final long MAX_WAITING_BYTES = 8 << 20;

    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;
    private final AtomicLong waitingBytes = new AtomicLong();

    /** @param count most threads; they are daemons and end when idle */
    RequestWorkers(int count) {
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), HelperThreads::worker);
        threads.allowCoreThreadTimeOut(true);
    }

    /** Runs a request on a worker, or on the calling thread if too many bytes wait already. */
    void submit(long bytes, Runnable request) {
        long waiting = waitingBytes.get();
        if (waiting > 0 && waiting + bytes > MAX_WAITING_BYTES) {
            request.run();
            return;
        }
        waitingBytes.addAndGet(bytes);
        threads.execute(() -> {
            waitingBytes.addAndGet(-bytes);
            request.run();
        });
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
