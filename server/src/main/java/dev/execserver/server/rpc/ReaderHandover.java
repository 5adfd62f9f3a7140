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
 * The right to read one connection. The reader may leave to carry out a call that is not expected to wait. If it stays
 * away for long nevertheless, another thread takes the turn and reads on, and the first thread loses it.
 *
 * <p>Threads: the reader leaves and comes back, {@link StalledReaderMonitor} starts a thread that takes the turn from it, and
 * the thread that serves the connection waits for the end. {@code lock} guards the fields below it and is never held
 * while a call runs.
 */
final class ReaderHandover {

    private static final Logger LOG = LoggerFactory.getLogger(ReaderHandover.class);

    /**
     * Messages after which the reader parks briefly and frees its carrier thread. A peer that never pauses would never
     * let it park.
     */
    static final int MESSAGES_IN_A_ROW = 64;

    /** Time for calls after which the reader parks likewise. Hundreds of readers with large answers would delay others for seconds. */
    static final Duration CALLS_IN_A_ROW = Duration.ofNanos(500_000);

    /** A call that takes longer has waited: for a peer that takes its answers more slowly than they are made. */
    static final Duration EXPECTED = Duration.ofMillis(1);

    /** Messages for which the reader only reads after such a call, because an urgent one may be among them. */
    static final int STAYS = 256;

    /** Extra messages to count when the peer has taken all answers: a peer that sends one call at a time waits less. */
    static final int IDLE_COUNTS = 31;

    private final StalledReaderMonitor relief;
    /** Reader thread only. */
    private Optional<Runnable> next = Optional.empty();
    /** Since the last pause. Reader thread only. */
    private int messages;
    /** Since the last pause. Reader thread only. */
    private long callNanos;
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

    ReaderHandover(StalledReaderMonitor relief) {
        this.relief = relief;
    }

    /**
     * @param another starts a thread that reads on if it can {@link #take} the turn of the departure that is its
     * argument
     */
    void begin(LongConsumer another) {
        anotherReads = another;
        relief.add(this);
    }

    /**
     * Returns true if the reader may leave for a call. Reader thread only.
     *
     * @param idle true if the peer has taken all answers; if that happens repeatedly, the peer did not cause the wait
     */
    boolean mayLeave(boolean idle) {
        if (idle) {
            stays = Math.max(0, stays - IDLE_COUNTS);
        }
        return idle && stays == 0;
    }

    /** Sets the call to run as soon as the message that asked for it was processed. Reader thread only. */
    void leaveFor(Runnable call) {
        next = Optional.of(call);
    }

    /**
     * Runs the call that was set, if there is one. Called by the reader thread after each message.
     *
     * @return false if another thread has taken the turn; the calling thread must stop reading
     */
    boolean carryOut() {
        if (next.isEmpty()) {
            stays = Math.max(0, stays - 1);
        } else if (!leaveAndComeBack()) {
            return false;
        }
        if (++messages >= MESSAGES_IN_A_ROW || callNanos >= CALLS_IN_A_ROW.toNanos()) {
            messages = 0;
            callNanos = 0;
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
            LOG.error("a call failed whose reader had been relieved", e); // another thread owns the connection now
            return false;
        }
        boolean kept = comeBack(departure);
        if (kept) {
            long took = System.nanoTime() - from;
            callNanos += took;
            stays = took > EXPECTED.toNanos() ? STAYS : stays;
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

    /**
     * Ends the absence of the reader. Returns false if another thread has taken the turn; that thread may be away
     * itself now.
     */
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
     * Starts another thread if the reader has been away for longer than the limit. Changes nothing if that thread
     * cannot be started.
     *
     * @return true if the reader is away and no other thread was started for this departure
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

    /**
     * Takes the turn from a reader that is still away. Returns false if it has come back or another thread was faster.
     */
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

    /** Returns true if a thread that has lost the turn may still be in a call. */
    boolean passedOn() {
        lock.lock();
        try {
            return passedOn;
        } finally {
            lock.unlock();
        }
    }

    /** Called by the thread that has the turn when the connection has ended. */
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

    /** Waits until the connection has ended. */
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
