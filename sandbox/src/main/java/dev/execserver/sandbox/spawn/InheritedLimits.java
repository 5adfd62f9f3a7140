package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LimitCalls.Limit;
import dev.execserver.sandbox.linux.SpawnCalls;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;

/**
 * Gives a child resource limits of its own. posix_spawn(3) runs nothing of ours in the child, so the limits are set on this
 * process for the moment of the spawn; they belong to the whole process, therefore the lock is one for the whole JVM. It is
 * held across posix_spawn, until the child has exec'ed, and taken by spawner threads only.
 *
 * <p>A program that shares this JVM and starts a process by other means in that moment hands out the same limits;
 * {@link ProcessTree} tells such a process by its session.
 */
final class InheritedLimits {
    private static final ReentrantLock SPAWN = new ReentrantLock();
    /** Share of the lowered descriptor limit that must be free, so that other threads can go on opening files. */
    private static final double FREE_SHARE = 0.5;

    private InheritedLimits() {}

    /**
     * Spawns with the mark and the original limit of open descriptors.
     *
     * @param newestFd a descriptor number that was the lowest free one a moment ago
     * @param call posix_spawn, on whatever thread
     */
    static int spawn(SpawnCalls.Plan plan, ProcessMark mark, int newestFd, ToIntFunction<SpawnCalls.Plan> call) {
        SPAWN.lock();
        try {
            Limit files = LimitCalls.own(LimitCalls.RLIMIT_NOFILE);
            boolean differs = Long.compareUnsigned(FileLimit.originalSoft(), files.soft()) < 0;
            if (!differs) {
                return spawnMarked(plan, mark, call);
            }
            Limit original = files.withSoft(FileLimit.originalSoft());
            // While it is lowered, every open in the JVM must still find a number below it.
            if (Long.compareUnsigned(newestFd, (long) (original.soft() * FREE_SHARE)) < 0) {
                LimitCalls.setOwn(LimitCalls.RLIMIT_NOFILE, original);
                try {
                    return spawnMarked(plan, mark, call);
                } finally {
                    LimitCalls.setOwn(LimitCalls.RLIMIT_NOFILE, files);
                }
            }
            int pid = spawnMarked(plan, mark, call);
            // A child that asks, or forks, in its first microseconds still gets the high limit; nothing worse happens.
            LimitCalls.trySet(pid, LimitCalls.RLIMIT_NOFILE, original);
            return pid;
        } finally {
            SPAWN.unlock();
        }
    }

    private static int spawnMarked(SpawnCalls.Plan plan, ProcessMark mark, ToIntFunction<SpawnCalls.Plan> call) {
        if (!mark.present()) {
            return call.applyAsInt(plan);
        }
        Limit before = LimitCalls.own(LimitCalls.RLIMIT_RTTIME);
        LimitCalls.setOwn(LimitCalls.RLIMIT_RTTIME, before.withSoft(mark.value()));
        try {
            return call.applyAsInt(plan);
        } finally {
            LimitCalls.setOwn(LimitCalls.RLIMIT_RTTIME, before);
        }
    }
}
