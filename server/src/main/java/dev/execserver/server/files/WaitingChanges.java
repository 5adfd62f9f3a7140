package dev.execserver.server.files;

import dev.execserver.protocol.fs.ChangedNotification.Change;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.server.memory.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of the changes that wait for one connection, limited by the connection's own bound and the server's. Any
 * thread; never waits.
 */
final class WaitingChanges {

    /** Bytes that a change takes besides its path. */
    private static final long CHANGE_BYTES = 128;

    private final AtomicLong used = new AtomicLong();
    private final MemoryBudget server;

    WaitingChanges(MemoryBudget server) {
        this.server = server;
    }

    static long bytes(Change change) {
        return CHANGE_BYTES + change.path().bytes().length;
    }

    /** Reserves memory. Returns false if there is no room; nothing is reserved then. */
    boolean tryReserve(long bytes) {
        boolean room = used.addAndGet(bytes) <= FsLimits.WAITING_CHANGE_BYTES && server.tryReserve(bytes);
        if (!room) {
            used.addAndGet(-bytes);
        }
        return room;
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
        server.release(bytes);
    }
}
