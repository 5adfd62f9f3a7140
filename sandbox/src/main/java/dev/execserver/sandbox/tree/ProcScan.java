package dev.execserver.sandbox.tree;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcFiles.Stat;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.Child;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Scans all processes of the machine, for any number of sweeps at once. Most processes cost one system call, prlimit(2); only
 * members of a tree are examined more closely. Used by the scanning thread alone.
 */
final class ProcScan {
    private final MemorySegment buffer = Arena.ofAuto().allocate(64 * 1024, 8);
    private final int self = ProcessCalls.ownPid();
    private final int ownSession = ProcFiles.stat(self).map(Stat::session).orElse(0);

    /** Finds the members of every sweep's tree and signals those that the sweep addresses. */
    void run(Collection<TreeRequest> sweeps) {
        Map<Long, List<TreeRequest>> marked = new HashMap<>();
        List<TreeRequest> unmarked = new ArrayList<>();
        for (TreeRequest sweep : sweeps) {
            sweep.beginScan();
            if (sweep.mark().present()) {
                marked.computeIfAbsent(sweep.mark().value(), value -> new ArrayList<>())
                        .add(sweep);
            } else {
                unmarked.add(sweep);
            }
        }
        int[] pids = ProcFiles.pids(buffer);
        if (!marked.isEmpty()) {
            scanMarks(pids, marked);
        }
        if (!unmarked.isEmpty()) {
            scanDescendants(pids, unmarked);
        }
    }

    private void scanMarks(int[] pids, Map<Long, List<TreeRequest>> marked) {
        for (int pid : pids) {
            long mark = markOf(pid);
            List<TreeRequest> sweeps = mark <= 0 ? null : marked.get(mark);
            if (sweeps == null || pid == self) {
                continue;
            }
            Optional<Stat> stat = ProcFiles.stat(pid);
            // Our children lead sessions of their own. A process with a mark inside our session was started by other
            // code in this JVM during a spawn, so it must not be killed.
            if (stat.isPresent() && !stat.get().dead() && stat.get().session() != ownSession) {
                strike(pid, stat.get(), sweeps, () -> markOf(pid) == mark);
            }
        }
    }

    /** Returns the mark of a process; 0 or less if it has none. */
    private static long markOf(int pid) {
        long soft = LimitCalls.softOrError(pid, LimitCalls.RLIMIT_RTTIME);
        // A program of another user (set-user-id) hides its limits from prlimit(2), but not in /proc.
        return soft == LimitCalls.HIDDEN ? ProcFiles.realtimeLimit(pid) : soft;
    }

    /**
     * Finds trees without marks: the descendants of the child and the members of its session and group. A daemon that left
     * all three is missed.
     */
    private void scanDescendants(int[] pids, List<TreeRequest> sweeps) {
        Map<Integer, Stat> stats = new HashMap<>();
        for (int pid : pids) {
            ProcFiles.stat(pid).ifPresent(stat -> stats.put(pid, stat));
        }
        for (TreeRequest sweep : sweeps) {
            Child child = sweep.child().orElseThrow();
            // The pid belongs to another process now, so the old session and group are empty.
            boolean reused = child.exited() && stats.containsKey(child.pid());
            for (int pid : reused ? Set.<Integer>of() : members(child.pid(), stats)) {
                Stat before = stats.get(pid);
                if (!before.dead()) {
                    strike(
                            pid,
                            before,
                            List.of(sweep),
                            () -> ProcFiles.stat(pid)
                                    .filter(now -> now.startTicks() == before.startTicks())
                                    .isPresent());
                }
            }
        }
    }

    private static Set<Integer> members(int root, Map<Integer, Stat> stats) {
        Map<Integer, List<Integer>> children = new HashMap<>();
        List<Integer> open = new ArrayList<>();
        stats.forEach((pid, stat) -> {
            children.computeIfAbsent(stat.parent(), parent -> new ArrayList<>()).add(pid);
            if (pid == root || stat.session() == root || stat.group() == root) {
                open.add(pid);
            }
        });
        Set<Integer> members = new HashSet<>();
        while (!open.isEmpty()) {
            int pid = open.removeLast();
            if (members.add(pid)) {
                open.addAll(children.getOrDefault(pid, List.of()));
            }
        }
        return members;
    }

    /**
     * Signals a member. The pidfd is opened before the last check. If the pid was reused in between, the pidfd names an ended
     * process, and the signal reaches no process.
     */
    private static void strike(int pid, Stat stat, List<TreeRequest> sweeps, BooleanSupplier stillMember) {
        List<TreeRequest> addressing =
                sweeps.stream().filter(sweep -> sweep.addresses(pid, stat)).toList();
        boolean vulnerable = true;
        if (!addressing.isEmpty()) {
            Optional<Fd> opened = ProcessCalls.tryPidfdOpen(pid);
            if (opened.isEmpty()) {
                return;
            }
            try (Fd pidfd = opened.get()) {
                if (!stillMember.getAsBoolean()) {
                    return;
                }
                for (TreeRequest sweep : addressing) {
                    vulnerable &= signal(pidfd, sweep.signal());
                }
            }
        }
        for (TreeRequest sweep : sweeps) {
            sweep.found(pid, vulnerable);
        }
    }

    /** Sends the signal. Returns false if the process belongs to another user and the kernel refuses. */
    private static boolean signal(Fd pidfd, int signal) {
        try {
            ProcessCalls.pidfdSendSignal(pidfd, signal);
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.EPERM) {
                return false;
            }
            throw e;
        }
    }
}
