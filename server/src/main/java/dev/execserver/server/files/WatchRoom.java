package dev.execserver.server.files;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.memory.ServerMemory;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many files and directories may be watched, and the memory for that. Nobody gets more of either than stays free without
 * him: the first takes a half at most, and leaves the other half to those who come later.
 *
 * <p>Any thread; {@code lock} guards the counts.
 */
final class WatchRoom {
    private final ReentrantLock lock = new ReentrantLock();
    private final int maxWatches;
    private final MemoryShare memory;
    private int watches;

    /** What one connection has taken; guarded by the lock. */
    static final class Part {
        private int watches;
        private long bytes;
    }

    /** @param memory also for changes that wait for their client */
    WatchRoom(int maxWatches, MemoryShare memory) {
        this.maxWatches = maxWatches;
        this.memory = memory;
    }

    MemoryShare memory() {
        return memory;
    }

    /** @throws RpcException -32603 with {@code data.reason = "tooManyWatches"} when that is too much */
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
