package dev.execserver.helper.wire;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Factory of all threads of the helper. */
final class HelperThreads {

    private static final int IDLE_SECONDS = 30;
    private static final long STACK_BYTES = 256 * 1024;

    private HelperThreads() {}

    /**
     * Returns a pool of up to {@code count} daemon threads, which end when idle. When all are busy, the caller runs the
     * task itself.
     */
    static ExecutorService workers(int count) {
        return new ThreadPoolExecutor(
                0,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> {
                    Thread thread = new Thread(null, task, "worker", STACK_BYTES);
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.CallerRunsPolicy());
    }
}
