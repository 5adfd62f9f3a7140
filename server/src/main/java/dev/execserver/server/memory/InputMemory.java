package dev.execserver.server.memory;

import dev.execserver.protocol.rpc.RpcException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory that one process holds of the share for input: bytes that its program has not read, and the records kept about
 * that input. Any thread; {@code lock} guards the fields. Once closed it holds nothing and counts nothing.
 */
public final class InputMemory {

    private final ReentrantLock lock = new ReentrantLock();
    private final MemoryBudget share;
    private long held;
    private boolean closed;

    public InputMemory(MemoryBudget share) {
        this.share = share;
    }

    /**
     * Takes bytes without waiting.
     *
     * @param what names for the error what needs the bytes
     * @throws RpcException -32603 with {@code data.reason = "inputMemory"} when the share has no room
     */
    public void reserve(long bytes, String what) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (!share.tryReserve(bytes)) {
                throw full(bytes, what);
            }
            held += bytes;
        } finally {
            lock.unlock();
        }
    }

    private RpcException full(long bytes, String what) {
        return RpcException.internal("no memory for " + what + ", " + bytes + " bytes: input of all processes holds "
                        + share.usedBytes() + " of " + share.maxBytes() + " bytes; see " + ServerMemory.OPTION)
                .withData("reason", "inputMemory")
                .withData("limitBytes", share.maxBytes());
    }

    public void release(long bytes) {
        lock.lock();
        try {
            if (!closed) {
                held -= bytes;
                share.release(bytes);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Releases everything. */
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                share.release(held);
            }
        } finally {
            lock.unlock();
        }
    }
}
