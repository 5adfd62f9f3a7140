package dev.execserver.server;

import dev.execserver.server.concurrent.Threads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the heap of a stand-alone server near what it needs.
 *
 * <p>The serial collector has the smallest footprint and the quickest start, but it lets the old generation grow to the
 * maximum before it collects it once. Output that was promoted and dropped would so fill gigabytes. This thread asks for a
 * full collection when enough has been added since the last one, or when the server comes to rest ({@link HeapWatch}); with a
 * live set of some ten megabytes it takes some ten milliseconds. See docs/decisions/0003-heap.md. An embedded server leaves the heap to the program that embeds it.
 */
final class HeapKeeper {

    /** Large messages that have come and gone since the last collection, before one is asked for. */
    private static final long LARGE_BYTES = 32 * 1024 * 1024L;

    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    /** From the end of a large message until nobody refers to it any more. */
    private static final long SETTLE_NANOS = Duration.ofMillis(10).toNanos();

    private static final Logger LOG = LoggerFactory.getLogger(HeapKeeper.class);

    /** Null in a program that embeds the server. */
    private static volatile HeapKeeper running;

    private final AtomicLong largeBytes = new AtomicLong();
    private volatile Thread thread;
    private final HeapWatch watch = new HeapWatch(committed());

    private HeapKeeper() {}

    static void start() {
        HeapKeeper keeper = new HeapKeeper();
        running = keeper;
        keeper.thread = Threads.daemon("heap-keeper", keeper::run);
    }

    /**
     * A message of many megabytes is no longer needed. Such arrays go straight to the old generation, and a few of them
     * would double what the server holds before anybody looks.
     */
    static void largeMessageDone(long bytes) {
        HeapKeeper keeper = running;
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

    /** The committed heap grows only when something was promoted: a busy young generation alone changes nothing. */
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
