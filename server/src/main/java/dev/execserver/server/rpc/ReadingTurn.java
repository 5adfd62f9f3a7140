package dev.execserver.server.rpc;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The turn to read one connection. Its reader may leave to carry out a call that is not expected to wait; when it stays
 * away for long all the same, another thread reads on, and the first one has lost the turn.
 *
 * <p>Threads: the reader leaves and comes back, {@link ReaderRelief} takes the turn from it, and the thread that serves the
 * connection waits for the end. {@code lock} guards the fields below it and is never held while a call is carried out.
 */
final class ReadingTurn {

    /** So many calls without a pause, then others may have the carrier: a peer that never pauses never parks its reader. */
    static final int CALLS_IN_A_ROW = 32;

    private final ReaderRelief relief;
    /** Reader thread only. */
    private Optional<Runnable> next = Optional.empty();
    /** Reader thread only. */
    private int calls;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private Runnable readOn = () -> {};
    private long departures;
    private boolean away;
    private long leftNanos;
    private boolean passedOn;
    private boolean over;

    ReadingTurn(ReaderRelief relief) {
        this.relief = relief;
    }

    /** @param anotherReads starts a thread that takes the turn over */
    void begin(Runnable anotherReads) {
        readOn = anotherReads;
        relief.add(this);
    }

    /** Reader thread only: the call is to be carried out as soon as the message that asked for it was taken. */
    void leaveFor(Runnable call) {
        next = Optional.of(call);
    }

    /**
     * Reader thread only: carries out what it is to leave for.
     *
     * @return false when another thread reads by now; this one must not go on
     */
    boolean carryOut() {
        if (next.isEmpty()) {
            return true;
        }
        Runnable call = next.get();
        next = Optional.empty();
        long departure = leave();
        relief.readerLeft();
        call.run();
        boolean kept = comeBack(departure);
        if (kept && ++calls % CALLS_IN_A_ROW == 0) {
            Thread.yield();
        }
        return kept;
    }

    private long leave() {
        lock.lock();
        try {
            away = true;
            leftNanos = System.nanoTime();
            return ++departures;
        } finally {
            lock.unlock();
        }
    }

    /** Another thread may have taken the turn, and may be away itself by now. */
    private boolean comeBack(long departure) {
        lock.lock();
        try {
            boolean kept = away && departures == departure;
            if (kept) {
                away = false;
            }
            return kept;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the turn from a reader that has been away for so long.
     *
     * @return whether the reader is away still
     */
    boolean passOn(Duration limit) {
        lock.lock();
        try {
            if (!away || over || System.nanoTime() - leftNanos < limit.toNanos()) {
                return away && !over;
            }
            away = false;
            passedOn = true;
        } finally {
            lock.unlock();
        }
        readOn.run();
        return false;
    }

    /** Whether a thread may still be in a call that has lost its turn. */
    boolean passedOn() {
        lock.lock();
        try {
            return passedOn;
        } finally {
            lock.unlock();
        }
    }

    /** Whoever had the turn last has found the connection's end. */
    void end() {
        relief.remove(this);
        lock.lock();
        try {
            over = true;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the end. */
    void awaitEnd() {
        lock.lock();
        try {
            while (!over) {
                ended.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
