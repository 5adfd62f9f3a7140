package dev.execserver.sandbox.spawn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The children of this operating system process that a {@link Leader} waits for, of all servers in this JVM: nobody else may
 * reap them.
 *
 * <p>Spawner threads enter children, whoever reaps takes them out, the {@link OrphanReaper} asks. The lock keeps the orphan
 * reaper from a child that was made and is not entered yet: it is held shared across a spawn and exclusively across the look and
 * the reaping, none of which blocks.
 */
final class OwnChildren {
    private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    private static final Map<Integer, Leader> WATCHED = new ConcurrentHashMap<>();

    private OwnChildren() {}

    /** Makes a child that is watched, and so entered, when this returns. */
    static Leader spawned(Supplier<Leader> spawn) {
        LOCK.readLock().lock();
        try {
            return spawn.get();
        } finally {
            LOCK.readLock().unlock();
        }
    }

    /** Somebody is about to wait for this child. */
    static void watched(Leader leader) {
        WATCHED.put(leader.pid(), leader);
    }

    /** The child was reaped, or nobody waits for it any more. Its number may belong to another child already. */
    static void released(Leader leader) {
        WATCHED.remove(leader.pid(), leader);
    }

    /** Does the reaping if nobody waits for the process. Returns true if it was reaped. */
    static boolean ifUnwatched(int pid, BooleanSupplier reaping) {
        LOCK.writeLock().lock();
        try {
            return !WATCHED.containsKey(pid) && reaping.getAsBoolean();
        } finally {
            LOCK.writeLock().unlock();
        }
    }
}
