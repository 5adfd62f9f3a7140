package dev.execserver.server.rpc;

import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sees to it that every connection is read, whatever its reader does: a peer that does not take an answer, or a file system
 * that is slower than it promised, must not keep a {@code process/terminate} from being heard.
 *
 * <p>Looks only while readers carry out calls, so an idle server is not woken for it. Threads: readers tell that they have
 * left, the clock starts the looks. No lock.
 */
final class ReaderRelief {

    /** A reader that is away for longer is relieved, at the next look; they are as far apart. */
    static final Duration LIMIT = Duration.ofMillis(50);

    private final Set<ReadingTurn> turns = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean planned = new AtomicBoolean();
    private final Timers timers;

    ReaderRelief(Timers timers) {
        this.timers = timers;
    }

    void add(ReadingTurn turn) {
        turns.add(turn);
    }

    void remove(ReadingTurn turn) {
        turns.remove(turn);
    }

    /** Must be called after the turn knows it: a look that has begun before has seen it, or another one follows. */
    void readerLeft() {
        if (!planned.get() && planned.compareAndSet(false, true)) {
            var _ = timers.after(LIMIT, "reader-relief", this::look);
        }
    }

    private static boolean awayStill(ReadingTurn turn) {
        try {
            return turn.passOn(LIMIT);
        } catch (OutOfMemoryError denied) { // no thread can be started, see pthread_create(3); perhaps at the next look
            return true;
        }
    }

    private void look() {
        planned.set(false);
        boolean anyAway = false;
        for (ReadingTurn turn : turns) {
            anyAway |= awayStill(turn);
        }
        if (anyAway) {
            readerLeft();
        }
    }
}
