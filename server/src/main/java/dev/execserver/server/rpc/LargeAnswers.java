package dev.execserver.server.rpc;

import java.util.concurrent.Semaphore;

/**
 * Bounds the answers of many megabytes that one connection has in memory, from before they are made until they are queued:
 * a client may ask for a hundred large files at once and then read slowly. Request threads wait here, nobody else; small
 * answers never do. No lock is held while waiting.
 */
final class LargeAnswers {

    /** Together; one answer of the largest size always fits. */
    static final int MEBIBYTES = 64;

    /** Smaller answers do not count. */
    private static final long COUNTED_BYTES = 1 << 20;

    private final Semaphore mebibytes = new Semaphore(MEBIBYTES, true);

    /** Memory that is taken until it is closed. */
    interface Share extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits until there is room. */
    Share await(long bytes) {
        if (bytes < COUNTED_BYTES) {
            return () -> {};
        }
        int wanted = (int) Math.min(MEBIBYTES, bytes / COUNTED_BYTES + 1);
        mebibytes.acquireUninterruptibly(wanted);
        return () -> mebibytes.release(wanted);
    }
}
