package dev.execserver.server;

import dev.execserver.server.concurrent.Threads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the heap of a stand-alone server near the size that it needs. The serial collector has the smallest footprint
 * and the quickest start, but it collects the old generation only when that has grown to its maximum. Garbage output
 * would fill gigabytes.
 *
 * <p>A thread of this class asks for a full collection when the heap has grown enough since the last one, or when the
 * server comes to rest ({@link CollectionPolicy}). With some ten megabytes of live data it takes some ten milliseconds. See
 * docs/decisions/0003-heap.md. An embedding program looks after the heap itself.
 */
final class HeapCollector {

    /** Bytes of finished large messages since the last collection that make a new one due. */
    private static final long LARGE_BYTES = 32 * 1024 * 1024L;

    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    /** Time from the end of a large message until nothing refers to it any more. */
    private static final long SETTLE_NANOS = Duration.ofMillis(10).toNanos();

    private static final Logger LOG = LoggerFactory.getLogger(HeapCollector.class);

    /** Null in a program that embeds the server. */
    private static volatile HeapCollector running;

    private final AtomicLong largeBytes = new AtomicLong();
    private volatile Thread thread;
    private final CollectionPolicy watch = new CollectionPolicy(committed());

    private HeapCollector() {}

    static void start() {
        HeapCollector keeper = new HeapCollector();
        running = keeper;
        keeper.thread = Threads.daemon("heap-keeper", keeper::run);
    }

    /**
     * Counts a message of many megabytes that is no longer needed. Arrays of that size go straight to the old
     * generation, and a few of them would double the heap of the server before the next regular check.
     */
    static void largeMessageDone(long bytes) {
        HeapCollector keeper = running;
        if (keeper != null && keeper.largeBytes.addAndGet(bytes) >= LARGE_BYTES) {
            LockSupport.unpark(keeper.thread);
        }
    }

    private void run() {
        while (true) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            if (largeBytes.get() >= LARGE_BYTES) {
                LockSupport.parkNanos(this, SETTLE_NANOS);
                collect();
            } else if (watch.due(committed(), used())) {
                collect();
            }
        }
    }

    /**
     * Runs a full collection. The committed heap grows only when objects were promoted: a busy young generation alone
     * does not change it.
     */
    private void collect() {
        long before = committed();
        largeBytes.set(0);
        System.gc();
        watch.collected(committed(), used());
        LOG.debug("heap collected: {} MiB, was {} MiB", committed() >> 20, before >> 20);
    }

    private static long committed() {
        return Runtime.getRuntime().totalMemory();
    }

    private static long used() {
        return committed() - Runtime.getRuntime().freeMemory();
    }
}
