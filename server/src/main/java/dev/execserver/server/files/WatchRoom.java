package dev.execserver.server.files;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.memory.ServerMemory;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits for watched files and directories: their number and their memory. No connection gets more of either than then
 * stays free for others: the first one takes at most half.
 *
 * <p>Any thread; {@code lock} guards the counts.
 */
final class WatchRoom {
    private final ReentrantLock lock = new ReentrantLock();
    private final int maxWatches;
    private final MemoryBudget memory;
    private int watches;

    /** The use of one connection. Guarded by the lock. */
    static final class Part {
        private int watches;
        private long bytes;
    }

    /** @param memory memory share for watches, and for changes that wait for their client */
    WatchRoom(int maxWatches, MemoryBudget memory) {
        this.maxWatches = maxWatches;
        this.memory = memory;
    }

    MemoryBudget memory() {
        return memory;
    }

    /** @throws RpcException -32603 with {@code data.reason = "tooManyWatches"} if a limit would be exceeded */
    void take(Part part, long bytes) {
        lock.lock();
        try {
            if (part.watches >= maxWatches - watches) {
                throw tooMany("this connection watches " + part.watches + " files and directories, others "
                        + (watches - part.watches) + ", and the server no more than " + maxWatches
                        + "; end some with fs/unwatch, or watch without `recursive`");
            }
            if (part.bytes + bytes > memory.maxBytes() - memory.usedBytes() || !memory.tryReserve(bytes)) {
                throw tooMany("the watches of this connection hold " + part.bytes + " bytes, and those of all "
                        + memory.usedBytes() + " of " + memory.maxBytes()
                        + "; end some with fs/unwatch, or see " + ServerMemory.OPTION);
            }
            part.watches++;
            part.bytes += bytes;
            watches++;
        } finally {
            lock.unlock();
        }
    }

    private static RpcException tooMany(String why) {
        return RpcException.internal(why).withData("reason", FileWatcher.TOO_MANY);
    }

    void release(Part part, long bytes) {
        lock.lock();
        try {
            part.watches--;
            part.bytes -= bytes;
            watches--;
            memory.release(bytes);
        } finally {
            lock.unlock();
        }
    }
}
