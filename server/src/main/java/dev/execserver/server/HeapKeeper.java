package dev.execserver.server;

import dev.execserver.server.concurrent.Threads;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the heap of a stand-alone server near what it needs.
 *
 * <p>The serial collector has the smallest footprint and the quickest start, but it lets the old generation grow to the
 * maximum before it collects it once. Output that was promoted and dropped would so fill gigabytes. This thread asks for a
 * full collection when enough has been added since the last one; with a live set of some ten megabytes it takes some ten
 * milliseconds. See docs/decisions/0003-heap.md. An embedded server leaves the heap to the program that embeds it.
 */
final class HeapKeeper {

    /** A collection is asked for when the heap has grown by this much since the last one. */
    static final long GROWTH_BYTES = 96 * 1024 * 1024L;

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(HeapKeeper.class);

    private long committedAfterLast;

    private HeapKeeper() {
        committedAfterLast = committed();
    }

    static void start() {
        Threads.daemon("heap-keeper", new HeapKeeper()::run);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(PAUSE);
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The committed heap grows only when something was promoted: a busy young generation alone changes nothing. */
    private void look() {
        long before = committed();
        if (before - committedAfterLast < GROWTH_BYTES) {
            return;
        }
        System.gc();
        committedAfterLast = committed();
        LOG.debug("heap collected: {} MiB, was {} MiB", committedAfterLast >> 20, before >> 20);
    }

    private static long committed() {
        return Runtime.getRuntime().totalMemory();
    }
}
