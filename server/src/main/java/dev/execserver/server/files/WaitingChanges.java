package dev.execserver.server.files;

import dev.execserver.protocol.fs.ChangedNotification.Change;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.server.memory.MemoryShare;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the changes of one connection that wait for it may take, of its own bound and of the server's. Any thread; never
 * waits.
 */
final class WaitingChanges {

    /** What a change takes beside its path. */
    private static final long CHANGE_BYTES = 128;

    private final AtomicLong used = new AtomicLong();
    private final MemoryShare server;

    WaitingChanges(MemoryShare server) {
        this.server = server;
    }

    static long bytes(Change change) {
        return CHANGE_BYTES + change.path().bytes().length;
    }

    /** False when there is no room, and nothing is taken. */
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
