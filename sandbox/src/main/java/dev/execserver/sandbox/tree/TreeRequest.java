package dev.execserver.sandbox.tree;

import dev.execserver.sandbox.linux.ProcFiles.Stat;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessMark;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One request about one process tree, repeated in each scan until it is done. Only the scanning thread touches it, except for
 * the result, for which the caller waits.
 */
final class TreeRequest {
    /**
     * Scans without a living member that end a kill. One is not enough: a process that forks and ends during a scan of /proc
     * can hide its child.
     */
    private static final int CLEAN_SCANS = 2;

    private static final int LOOK_ONLY = 0;

    private final ProcessMark mark;
    private final Optional<Child> child;
    private final int signal;
    private final ProcessTree.Members addressees;
    private final long deadline;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();
    private final Set<Integer> struck = new HashSet<>();
    private int alive;
    private int invulnerable;
    private boolean newcomers;
    private int cleanScans;

    private TreeRequest(
            ProcessMark mark, Optional<Child> child, int signal, ProcessTree.Members addressees, long deadline) {
        this.mark = mark;
        this.child = child;
        this.signal = signal;
        this.addressees = addressees;
        this.deadline = deadline;
    }

    /**
     * Makes a sweep that kills every member, scan after scan, until none lives.
     *
     * @param deadline of System.nanoTime
     */
    static TreeRequest killing(ProcessMark mark, Optional<Child> child, long deadline) {
        return new TreeRequest(mark, child, ProcessCalls.SIGKILL, (_, _) -> true, deadline);
    }

    /** Makes a sweep that looks once for living members. */
    static TreeRequest looking(ProcessMark mark, Optional<Child> child) {
        return new TreeRequest(mark, child, LOOK_ONLY, (_, _) -> false, Long.MAX_VALUE);
    }

    /** Makes a sweep that looks once and signals the addressed members. */
    static TreeRequest signalling(Child child, int signal, ProcessTree.Members addressees) {
        return new TreeRequest(child.mark(), Optional.of(child), signal, addressees, Long.MAX_VALUE);
    }

    ProcessMark mark() {
        return mark;
    }

    /** Returns the child; present if the tree must be found without a mark. */
    Optional<Child> child() {
        return child;
    }

    /** Returns true if this member must be signalled, not only counted. */
    boolean addresses(int pid, Stat stat) {
        return signal != LOOK_ONLY && addressees.include(pid, stat);
    }

    int signal() {
        return signal;
    }

    private boolean lethal() {
        return signal == ProcessCalls.SIGKILL;
    }

    /** Returns the result. Of a kill: true if no process lives any more. Of others: true if a process lives. */
    CompletableFuture<Boolean> result() {
        return result;
    }

    void beginScan() {
        alive = 0;
        invulnerable = 0;
        newcomers = false;
    }

    /**
     * Counts a living member.
     *
     * @param vulnerable true if the kernel let the server signal it
     */
    void found(int pid, boolean vulnerable) {
        alive++;
        if (!vulnerable) {
            invulnerable++;
        }
        newcomers |= struck.add(pid);
    }

    /** Ends a scan. Returns true if the caller has its answer. */
    boolean endScan() {
        if (!lethal()) {
            return result.complete(alive > 0);
        }
        cleanScans = alive == 0 ? cleanScans + 1 : 0;
        if (cleanScans >= CLEAN_SCANS) {
            return result.complete(true);
        }
        if (alive > 0 && alive == invulnerable) {
            return result.complete(false);
        }
        return expire();
    }

    /** Gives up when the time is over: a process in an uninterruptible wait (state D) does not die. */
    boolean expire() {
        return lethal() && System.nanoTime() - deadline >= 0 && result.complete(false);
    }

    /** Returns true if the next scan should follow at once; false if the signalled processes need time to die. */
    boolean impatient() {
        return newcomers || alive == 0;
    }
}
