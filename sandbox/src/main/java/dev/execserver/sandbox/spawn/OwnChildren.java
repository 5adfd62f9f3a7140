package dev.execserver.sandbox.spawn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The children of this process for which a {@link ProcessLeader} waits, of all servers in this JVM. No other code may reap them.
 *
 * <p>Spawner threads add children, the code that reaps one removes it, and the {@link OrphanReaper} asks. The lock keeps the
 * orphan reaper from a child that exists and is not added yet: a spawn holds it shared, and a check together with its reaping
 * holds it exclusively.
 */
final class OwnChildren {
    private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    private static final Map<Integer, ProcessLeader> WATCHED = new ConcurrentHashMap<>();

    private OwnChildren() {}

    /** Makes a child. It must be watched, and so added, when the call returns. */
    static ProcessLeader spawned(Supplier<ProcessLeader> spawn) {
        LOCK.readLock().lock();
        try {
            return spawn.get();
        } finally {
            LOCK.readLock().unlock();
        }
    }

    /** Adds a child for which its leader is about to wait. */
    static void watched(ProcessLeader leader) {
        WATCHED.put(leader.pid(), leader);
    }

    /** Removes a child that was reaped or is no longer waited for. Its pid may belong to another child already. */
    static void released(ProcessLeader leader) {
        WATCHED.remove(leader.pid(), leader);
    }

    /** Reaps the process if no leader waits for it. Returns true if it was reaped. */
    static boolean ifUnwatched(int pid, BooleanSupplier reaping) {
        LOCK.writeLock().lock();
        try {
            return !WATCHED.containsKey(pid) && reaping.getAsBoolean();
        } finally {
            LOCK.writeLock().unlock();
        }
    }
}
