package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds what the requests of one connection may cost: how many ordinary ones run at once, how many wait for their turn,
 * and how many bytes of received messages all of them hold.
 *
 * <p>Only the connection's reader thread submits. Requests end on their own virtual threads. {@code lock} guards the
 * fields.
 */
final class RequestGate {

    /** Ordinary requests that may wait for their turn; one more is refused. */
    static final int MAX_WAITING = 65_536;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final int maxRunning;
    private final long maxBytes;
    private int running;
    private long bytes;
    private boolean closed;

    RequestGate(int maxRunning, long maxBytes) {
        this.maxRunning = maxRunning;
        this.maxBytes = maxBytes;
    }

    /**
     * Waits until the messages in flight have room for another one. A message larger than the whole bound passes when it
     * is alone. Waiting here stops the reader, and so the peer, until requests have ended.
     */
    void awaitRoom(int messageBytes) {
        lock.lock();
        try {
            while (!closed && bytes > 0 && bytes + messageBytes > maxBytes) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
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
            if (!control && waiting.size() >= MAX_WAITING) {
                throw RpcException.internal("too many requests in flight on this connection: " + running + " run and "
                                + MAX_WAITING + " wait")
                        .withData("reason", "tooManyRequests");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Runs a request on a thread of its own: a control request at once, an ordinary one when its turn has come. */
    void submit(boolean control, int messageBytes, Runnable request) {
        lock.lock();
        try {
            if (!control && running >= maxRunning) {
                bytes += messageBytes;
                waiting.add(() -> runOrdinary(messageBytes, request));
                return;
            }
            bytes += messageBytes;
            running += control ? 0 : 1;
        } finally {
            lock.unlock();
        }
        Threads.virtual(
                "request",
                control ? () -> runControl(messageBytes, request) : () -> runOrdinary(messageBytes, request));
    }

    private void runControl(int messageBytes, Runnable request) {
        try {
            request.run();
        } finally {
            ended(messageBytes);
        }
    }

    private void ended(int messageBytes) {
        lock.lock();
        try {
            bytes -= messageBytes;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void runOrdinary(int messageBytes, Runnable request) {
        try {
            request.run();
        } finally {
            Runnable next = next(messageBytes);
            if (next != null) {
                Threads.virtual("request", next);
            }
        }
    }

    private Runnable next(int messageBytes) {
        lock.lock();
        try {
            bytes -= messageBytes;
            Runnable next = waiting.poll();
            if (next == null) {
                running--;
            }
            changed.signalAll();
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no ordinary request runs, at most as long as the limit. */
    void awaitIdle(Duration limit) {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (running > 0 && left > 0) {
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
