package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.memory.ServerMemory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds what the requests of one connection may cost: how many ordinary ones run at once, how many wait for their turn,
 * how many bytes of received messages all of them hold, of their connection's bound and of the server's, and how many
 * answers wait for a peer that does not read. A request stays in the gate until its answer was written or dropped.
 *
 * <p>Only the connection's reader thread enters and submits. Requests end on their own virtual threads, answers on the
 * thread that writes. {@code lock} guards the fields that are not atomic.
 */
final class RequestGate {

    /** Ordinary requests that may wait for their turn, and answers that may wait for the peer, unless memory is short. */
    static final int MAX_WAITING = 65_536;

    /** What a request takes besides its message: its thread, or its answer when that is small. */
    static final int REQUEST_BYTES = 2 * 1024;

    /** What a JSON value of a request takes besides its bytes once it was read: strings, entries of maps, copies. */
    static final int VALUE_BYTES = 256;

    /** So many values are counted with the request. */
    static final int FREE_VALUES = 64;

    /** The waiting requests of one connection take this part of the server's memory at most, and so do its answers. */
    static final int CONNECTION_SHARE = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    /** Messages whose requests have not ended, or whose answers were not written. */
    private final AtomicInteger entered = new AtomicInteger();

    private final int maxRunning;
    private final int maxWaiting;
    private final long maxBytes;
    private final MemoryShare server;
    /** Requests that have their turn, and turns that are about to be given to the next ones. */
    private int running;
    /** Turns of ended requests that were not given to others yet. */
    private int freeTurns;
    /** Whether a thread gives turns to others. */
    private boolean handingOver;

    private int controls;
    private long bytes;
    private boolean closed;
    private volatile boolean full;

    RequestGate(int maxRunning, long maxBytes, MemoryShare server) {
        this.maxRunning = maxRunning;
        this.maxBytes = maxBytes;
        this.server = server;
        this.maxWaiting = Math.clamp(server.maxBytes() / CONNECTION_SHARE / REQUEST_BYTES, 1, MAX_WAITING);
    }

    /**
     * Takes room for a message among those in flight, and waits for it if need be. A message larger than the connection's
     * bound passes when it is alone. Waiting here stops the reader, and so the peer, until requests have ended, or until
     * the peer has read.
     *
     * @return false when the server had no room in time
     */
    boolean enter(int messageBytes) {
        lock.lock();
        try {
            while (!closed && (bytes > 0 && bytes + messageBytes > maxBytes || tooManyUnwritten())) {
                changed.awaitUninterruptibly();
            }
            full = false;
            bytes += messageBytes;
            entered.incrementAndGet();
        } finally {
            lock.unlock();
        }
        boolean reserved = false;
        try {
            reserved = server.reserve((long) messageBytes + REQUEST_BYTES);
        } finally {
            if (!reserved) {
                undoEnter(messageBytes);
            }
        }
        return reserved;
    }

    private void undoEnter(int messageBytes) {
        lock.lock();
        try {
            bytes -= messageBytes;
            entered.decrementAndGet();
        } finally {
            lock.unlock();
        }
    }

    /** What the values of a request take once its params were read, besides its message. */
    static long parsedBytes(int values) {
        return (long) Math.max(0, values - FREE_VALUES) * VALUE_BYTES;
    }

    /**
     * Takes room for what a message that entered is about to become; waits for the server's. What it takes of the
     * connection's bound keeps further messages out until it is given back.
     *
     * @param messageBytes what it has entered with
     * @param more to be given back with them
     * @throws RpcException -32603 with {@code data.reason = "requestMemory"}; nothing has been taken then
     */
    void grow(long messageBytes, long more) {
        if (more == 0) {
            return;
        }
        if (!server.reserveMore(messageBytes + REQUEST_BYTES, more)) {
            throw RpcException.internal("no memory for the " + more
                            + " bytes that the values of the request need: requests of"
                            + " all clients hold " + server.usedBytes() + " of " + server.maxBytes() + " bytes; see "
                            + ServerMemory.OPTION)
                    .withData("reason", "requestMemory")
                    .withData("limitBytes", server.maxBytes());
        }
        lock.lock();
        try {
            bytes += more;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether enough was answered, or is about to be: ordinary requests that run or wait do not count, for they may take
     * long while the peer reads. {@code full} is set first: an answer that is written in this moment wakes the reader, or
     * is seen here.
     */
    private boolean tooManyUnwritten() {
        int most = maxWaiting + running + waiting.size();
        if (entered.get() < most) {
            return false;
        }
        full = true;
        return entered.get() >= most;
    }

    /** A message that entered has become garbage, and what it became. What becomes of its answer is told apart. */
    void leave(long messageBytes) {
        lock.lock();
        try {
            left(messageBytes);
        } finally {
            lock.unlock();
        }
    }

    private void left(long messageBytes) {
        bytes -= messageBytes;
        server.release(messageBytes);
        changed.signalAll();
    }

    /** The answer to a message that entered was written, or dropped, or there is none. */
    void written() {
        entered.decrementAndGet();
        server.release(REQUEST_BYTES);
        if (full) {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Refuses an ordinary request when too many wait already; to be asked before anything is done for it.
     *
     * @throws RpcException -32603 with {@code data.reason = "tooManyRequests"}
     */
    void admit(boolean control) {
        lock.lock();
        try {
            if (!control && waiting.size() >= maxWaiting) {
                throw RpcException.internal("too many requests in flight on this connection: " + running + " run and "
                                + maxWaiting + " wait")
                        .withData("reason", "tooManyRequests");
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a turn for a request whose message has entered: a control request has it at once.
     *
     * @param later starts the request on a thread of its own when its turn has come
     * @return true when it has come already; {@code later} is not called then
     */
    boolean begin(boolean control, Runnable later) {
        lock.lock();
        try {
            if (control) {
                controls++;
                return true;
            }
            if (running >= maxRunning) {
                waiting.add(later);
                return false;
            }
            running++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A request that had its turn has ended. */
    void end(boolean control, long messageBytes) {
        if (control) {
            controlEnded(messageBytes);
        } else {
            ordinaryEnded(messageBytes);
        }
    }

    private void controlEnded(long messageBytes) {
        lock.lock();
        try {
            controls--;
            left(messageBytes);
        } finally {
            lock.unlock();
        }
    }

    private void ordinaryEnded(long messageBytes) {
        lock.lock();
        try {
            left(messageBytes);
            freeTurns++;
            if (handingOver) {
                return; // by this very thread, when a request that got its turn could not be started, or by another one
            }
            handingOver = true;
        } finally {
            lock.unlock();
        }
        handOver();
    }

    /** Gives the free turns to requests that wait, one after the other. */
    private void handOver() {
        boolean done = false;
        try {
            for (Runnable next = nextInTurn(); next != null; next = nextInTurn()) {
                next.run();
            }
            done = true;
        } finally {
            if (!done) { // the starter has failed: the next request that ends goes on
                stopHandingOver();
            }
        }
    }

    private void stopHandingOver() {
        lock.lock();
        try {
            handingOver = false;
            running -= freeTurns + 1;
            freeTurns = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Null when no turn is free any more. */
    private Runnable nextInTurn() {
        lock.lock();
        try {
            while (freeTurns > 0) {
                freeTurns--;
                Runnable next = waiting.poll();
                if (next != null) {
                    return next;
                }
                running--;
                changed.signalAll();
            }
            handingOver = false;
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no request runs, of either kind, at most as long as the limit. */
    void awaitIdle(Duration limit) {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (running + controls > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** The connection is gone. What was accepted still runs, and finds that nobody waits for its answer. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
