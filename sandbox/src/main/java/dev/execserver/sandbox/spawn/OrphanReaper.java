package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcFiles.Stat;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/**
 * Reaps processes whose parents have ended, if this process is process 1 of a container, which has that duty, see
 * pid_namespaces(7). It leaves children alone for which a thread waits ({@link OwnChildren}).
 *
 * <p>One daemon platform thread asks the kernel once a second, with one system call as long as no child has ended.
 */
public final class OrphanReaper {
    private static final System.Logger LOG = System.getLogger(OrphanReaper.class.getName());
    private static final int INIT = 1;
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private OrphanReaper() {}

    /** Starts the thread if this is process 1. For programs whose children are all made by a {@link Spawner}. */
    public static void startIfInit() {
        if (ProcessCalls.ownPid() == INIT) {
            SpawnThreads.daemon("orphan-reaper", OrphanReaper::run);
        }
    }

    private static void run() {
        while (true) {
            try {
                reapAll();
            } catch (LinuxException e) {
                LOG.log(System.Logger.Level.WARNING, "orphans could not be reaped, will be tried again", e);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static void reapAll() {
        for (OptionalInt ended = ProcessCalls.endedChild(); ended.isPresent(); ended = ProcessCalls.endedChild()) {
            if (!reap(ended.getAsInt())) {
                // The kernel shows only the first ended child, and the watcher of that one is about to reap it.
                reapBehindOwn();
                return;
            }
        }
    }

    private static void reapBehindOwn() {
        for (int pid : ProcFiles.pids()) {
            if (ProcFiles.stat(pid)
                    .filter(stat -> stat.parent() == INIT)
                    .filter(Stat::dead)
                    .isPresent()) {
                boolean _ = reap(pid); // false: a thread waits for it
            }
        }
    }

    private static boolean reap(int pid) {
        return OwnChildren.ifUnwatched(pid, () -> ProcessCalls.reap(pid));
    }
}
