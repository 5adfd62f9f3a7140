package dev.execserver.server.rpc;

import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Watches for readers that stay away in a call, and lets another thread read their connections. So a peer that does not
 * take an answer, or a slow file system, cannot delay a {@code process/terminate}.
 *
 * <p>Checks only while readers carry out calls, so an idle server is not woken. Threads: readers report that they have
 * left, the clock starts the checks. No lock.
 */
final class StalledReaderMonitor {

    /** Interval between checks. A check relieves each reader that has been away for longer than this. */
    static final Duration LIMIT = Duration.ofMillis(50);

    private final Set<ReaderHandover> turns = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean planned = new AtomicBoolean();
    private final Timers timers;

    StalledReaderMonitor(Timers timers) {
        this.timers = timers;
    }

    void add(ReaderHandover turn) {
        turns.add(turn);
    }

    void remove(ReaderHandover turn) {
        turns.remove(turn);
    }

    /**
     * Reports that a reader has left. Call it after its turn has recorded the departure: then a running check sees the
     * departure, or another check follows.
     */
    void readerLeft() {
        if (!planned.get() && planned.compareAndSet(false, true)) {
            var _ = timers.after(LIMIT, "reader-relief", this::look);
        }
    }

    private static boolean awayStill(ReaderHandover turn) {
        try {
            return turn.passOn(LIMIT);
        } catch (OutOfMemoryError denied) { // no thread can be started, see pthread_create(3)
            return true;
        }
    }

    private void look() {
        planned.set(false);
        boolean anyAway = false;
        for (ReaderHandover turn : turns) {
            anyAway |= awayStill(turn);
        }
        if (anyAway) {
            readerLeft();
        }
    }
}
