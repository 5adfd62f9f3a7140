package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.ClientShare;
import dev.execserver.server.memory.ServerMemory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the requests of one connection: how many ordinary ones run at once, how many wait for their turn, how many
 * bytes their messages hold (per connection and in the server), and how many answers wait for a peer that does not
 * read. A request stays in the gate until its answer was written or dropped.
 *
 * <p>Only the connection's reader thread enters and submits. Requests end on their own virtual threads, answers on the
 * thread that writes. {@code lock} guards the fields that are not atomic.
 */
final class RequestGate {

    /** Largest number of waiting ordinary requests, and of unwritten answers. Less if the server has little memory. */
    static final int MAX_WAITING = 65_536;

    /** Bytes that a request takes besides its message: for its thread, or for its answer when that is small. */
    static final int REQUEST_BYTES = 2 * 1024;

    /** Bytes that a parsed JSON value takes besides its text: strings, map entries, copies. */
    static final int VALUE_BYTES = 256;

    /** Number of values that {@link #REQUEST_BYTES} already includes. */
    static final int FREE_VALUES = 64;

    /**
     * The waiting requests of one connection may take one part in this many of the server's memory, and so may its
     * answers.
     */
    static final int CONNECTION_SHARE = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    /** Messages whose requests have not ended or whose answers were not written. */
    private final AtomicInteger entered = new AtomicInteger();

    private final int maxRunning;
    private final int maxWaiting;
    private final long maxBytes;
    private final ClientShare server;
    /** Requests that have their turn, and turns that are being handed to the next requests. */
    private int running;
    /** Turns of ended requests that were not yet handed on. */
    private int freeTurns;
    /** True while a thread hands turns on. */
    private boolean handingOver;

    private int controls;
    private long bytes;
    private boolean closed;
    private volatile boolean full;

    RequestGate(int maxRunning, long maxBytes, ClientShare server) {
        this.maxRunning = maxRunning;
        this.maxBytes = maxBytes;
        this.server = server;
        this.maxWaiting = Math.clamp(server.maxBytes() / CONNECTION_SHARE / REQUEST_BYTES, 1, MAX_WAITING);
    }

    /**
     * Takes room for a message, and waits for the room if necessary. A message larger than the connection's limit
     * passes when it is alone. Waiting here stops the reader, and so the peer, until requests end or the peer reads.
     *
     * @return false if the server had no room in time
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

    /** Returns the bytes that the parsed values of a request take besides its message. */
    static long parsedBytes(int values) {
        return (long) Math.max(0, values - FREE_VALUES) * VALUE_BYTES;
    }

    /**
     * Takes more room for a message that has entered, for its parsed values. Waits for room in the server's memory. The
     * bytes count against the connection's limit too, and so delay later messages until they are released.
     *
     * @param messageBytes the size with which the message entered
     * @param more the additional bytes, to be released with the message
     * @throws RpcException -32603 with {@code data.reason = "requestMemory"}; nothing was taken then
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
     * Returns true if too many answers are unwritten. Ordinary requests that run or wait do not count, because they may
     * take long while the peer reads. {@code full} is set first: an answer written at this moment then either wakes the
     * reader or is seen by the second look.
     */
    private boolean tooManyUnwritten() {
        int most = maxWaiting + running + waiting.size();
        if (entered.get() < most) {
            return false;
        }
        full = true;
        return entered.get() >= most;
    }

    /**
     * Releases the bytes of a message and of its parsed values. The answer is released separately, by {@link #written}.
     */
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

    /** Called when the answer to a message was written or dropped, or when there is none. */
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
     * Refuses an ordinary request when too many wait already. Must be called before anything is done for the request.
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
     * Takes a turn for a request whose message has entered. A control request gets one at once.
     *
     * @param later starts the request on a thread of its own when it gets its turn
     * @return true if it has its turn now; {@code later} is not called then
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

    /** Called when a request that had its turn has ended. */
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
                return; // by this thread, when a request that got its turn could not be started, or by another thread
            }
            handingOver = true;
        } finally {
            lock.unlock();
        }
        handOver();
    }

    /** Gives the free turns to waiting requests, one after the other. */
    private void handOver() {
        boolean done = false;
        try {
            for (Runnable next = nextInTurn(); next != null; next = nextInTurn()) {
                next.run();
            }
            done = true;
        } finally {
            if (!done) { // the start of a request has failed: the next request that ends continues
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

    /** Returns null if no turn is free. */
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

    /** Waits until no request of either kind runs, but at most for the limit. */
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

    /** Called when the connection has ended. Accepted requests still run, and find that the connection is closed. */
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
