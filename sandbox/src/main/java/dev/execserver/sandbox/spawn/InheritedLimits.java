package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LimitCalls.Limit;
import dev.execserver.sandbox.linux.SpawnCalls;
import dev.execserver.sandbox.tree.ProcessTree;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;

/**
 * Gives a child its own resource limits. posix_spawn(3) runs no code of ours in the child, so the limits are set on this
 * process during the spawn. They belong to the whole process, so there is one lock for the JVM. It is held across
 * posix_spawn, until the child has called execve(2); only spawner threads take it.
 *
 * <p>If other code in this JVM starts a process by other means at that moment, the process gets the same limits.
 * {@link ProcessTree} recognizes such a process by its session.
 */
final class InheritedLimits {
    private static final ReentrantLock SPAWN = new ReentrantLock();
    /** Share of the lowered descriptor limit that must be free, so that other threads can still open files. */
    private static final double FREE_SHARE = 0.5;

    private InheritedLimits() {}

    /**
     * Spawns with the mark and the original limit of open descriptors.
     *
     * @param newestFd a descriptor number that was the lowest free one a moment ago
     * @param call runs posix_spawn, on any thread
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
            // While the limit is lowered, each open in the JVM must still find a number below it.
            if (Long.compareUnsigned(newestFd, (long) (original.soft() * FREE_SHARE)) < 0) {
                LimitCalls.setOwn(LimitCalls.RLIMIT_NOFILE, original);
                try {
                    return spawnMarked(plan, mark, call);
                } finally {
                    LimitCalls.setOwn(LimitCalls.RLIMIT_NOFILE, files);
                }
            }
            int pid = spawnMarked(plan, mark, call);
            // A child that reads its limit or forks in its first microseconds still gets the high limit, which is
            // harmless.
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
