package dev.execserver.server.rpc;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turn to read one connection. Its reader may leave to carry out a call that is not expected to wait; when it stays
 * away for long all the same, another thread reads on, and the first one has lost the turn.
 *
 * <p>Threads: the reader leaves and comes back, {@link ReaderRelief} starts a thread that takes the turn from it, and the
 * thread that serves the connection waits for the end. {@code lock} guards the fields below it and is never held while a
 * call is carried out.
 */
final class ReadingTurn {

    private static final Logger LOG = LoggerFactory.getLogger(ReadingTurn.class);

    /** So many messages without a pause, then others may have the carrier: a peer that never pauses never parks its reader. */
    static final int MESSAGES_IN_A_ROW = 64;

    /** A call that takes longer has waited: for a peer that takes its answers more slowly than they are made. */
    static final Duration EXPECTED = Duration.ofMillis(1);

    /** After such a call the reader does nothing but read for so many messages: one that is to be heard may be among them. */
    static final int STAYS = 256;

    private final ReaderRelief relief;
    /** Reader thread only. */
    private Optional<Runnable> next = Optional.empty();
    /** Reader thread only. */
    private int messages;
    /** Reader thread only. */
    private int stays;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private LongConsumer anotherReads = _ -> {};
    private long departures;
    private boolean away;
    private long leftNanos;
    /** The last departure for which another thread was started. */
    private long offered;

    private boolean passedOn;
    private boolean over;

    ReadingTurn(ReaderRelief relief) {
        this.relief = relief;
    }

    /** @param another starts a thread that reads on if it can {@link #take} the turn of the departure that it is told */
    void begin(LongConsumer another) {
        anotherReads = another;
        relief.add(this);
    }

    /** Reader thread only: whether it may leave for a call. */
    boolean mayLeave() {
        return stays == 0;
    }

    /** Reader thread only: the call is to be carried out as soon as the message that asked for it was taken. */
    void leaveFor(Runnable call) {
        next = Optional.of(call);
    }

    /**
     * Reader thread only, after each message: carries out what it is to leave for.
     *
     * @return false when another thread reads by now; this one must not go on
     */
    boolean carryOut() {
        if (next.isEmpty()) {
            stays = Math.max(0, stays - 1);
        } else if (!leaveAndComeBack()) {
            return false;
        }
        if (++messages % MESSAGES_IN_A_ROW == 0) {
            // To yield is not enough: a virtual thread that yields is queued where its carrier looks first.
            LockSupport.parkNanos(this, 1);
        }
        return true;
    }

    private boolean leaveAndComeBack() {
        Runnable call = next.get();
        next = Optional.empty();
        long from = System.nanoTime();
        long departure = leave(from);
        relief.readerLeft();
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            if (comeBack(departure)) {
                throw e;
            }
            LOG.error("a call failed whose reader had been relieved", e); // the connection is another thread's
            return false;
        }
        boolean kept = comeBack(departure);
        if (kept && System.nanoTime() - from > EXPECTED.toNanos()) {
            stays = STAYS;
        }
        return kept;
    }

    private long leave(long now) {
        lock.lock();
        try {
            away = true;
            leftNanos = now;
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
     * Has another thread take the turn from a reader that has been away for so long. Should that thread not be started,
     * nothing has changed.
     *
     * @return whether the reader is away, and nobody is on the way to take its turn
     */
    boolean passOn(Duration limit) {
        long departure;
        lock.lock();
        try {
            if (!away || over || offered == departures) {
                return false;
            }
            if (System.nanoTime() - leftNanos < limit.toNanos()) {
                return true;
            }
            departure = departures;
        } finally {
            lock.unlock();
        }
        anotherReads.accept(departure);
        lock.lock();
        try {
            offered = departure;
        } finally {
            lock.unlock();
        }
        return false;
    }

    /** Takes the turn from a reader that is away still; false when it has come back, or another thread was quicker. */
    boolean take(long departure) {
        lock.lock();
        try {
            if (!away || over || departures != departure) {
                return false;
            }
            away = false;
            passedOn = true;
            return true;
        } finally {
            lock.unlock();
        }
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
