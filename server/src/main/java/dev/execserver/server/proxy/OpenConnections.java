package dev.execserver.server.proxy;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The connections of one process to its proxy, limited in number. {@code lock} guards the set. */
final class OpenConnections {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Set<ProxyConnection> open = new HashSet<>();
    private final int max;
    private final Semaphore ofAll;
    private boolean closed;

    /** @param ofAll permits for the connections of all processes */
    OpenConnections(int max, Semaphore ofAll) {
        this.max = max;
        this.ofAll = ofAll;
    }

    /** Waits until there is room for another connection. Returns false if the proxy is closed. */
    boolean awaitRoom() {
        lock.lock();
        try {
            while (!closed && open.size() >= max) {
                room.awaitUninterruptibly();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a connection. Returns false if the proxy is closed or all processes together have too many. */
    boolean add(ProxyConnection visit) {
        lock.lock();
        try {
            if (closed || !ofAll.tryAcquire()) {
                return false;
            }
            return open.add(visit);
        } finally {
            lock.unlock();
        }
    }

    void remove(ProxyConnection visit) {
        lock.lock();
        try {
            if (open.remove(visit)) {
                ofAll.release();
            }
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is no connection, the limit is over, or the proxy is closed. */
    void awaitNone(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long nanos = limit.toNanos();
            while (!closed && !open.isEmpty() && nanos > 0) {
                nanos = room.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all connections and refuses new ones. */
    void close() {
        List<ProxyConnection> left;
        lock.lock();
        try {
            closed = true;
            left = List.copyOf(open);
            room.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(ProxyConnection::close);
    }
}
