package dev.execserver.sandbox.spawn;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One caller's wish about one tree, carried from scan to scan until it is fulfilled. Touched by the scanning thread only,
 * except for the result that the caller waits for.
 */
final class Sweep {
    /** A process that forked and ended around the reader's position in /proc can hide its child from one scan. */
    private static final int CLEAN_SCANS = 2;

    private final ProcessMark mark;
    private final Optional<Child> child;
    private final boolean lethal;
    private final long deadline;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();
    private final Set<Integer> struck = new HashSet<>();
    private int alive;
    private int invulnerable;
    private boolean newcomers;
    private int cleanScans;

    /**
     * A wish of one caller.
     *
     * @param deadline of System.nanoTime
     */
    Sweep(ProcessMark mark, Optional<Child> child, boolean lethal, long deadline) {
        this.mark = mark;
        this.child = child;
        this.lethal = lethal;
        this.deadline = deadline;
    }

    ProcessMark mark() {
        return mark;
    }

    /** Known when the tree must be found without a mark. */
    Optional<Child> child() {
        return child;
    }

    /** Whether members are to be killed, not only counted. */
    boolean lethal() {
        return lethal;
    }

    /** For a lethal one: true when nothing lives any more. Else: whether something lives. */
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
     * @param vulnerable whether we were allowed to signal it
     */
    void found(int pid, boolean vulnerable) {
        alive++;
        if (!vulnerable) {
            invulnerable++;
        }
        newcomers |= struck.add(pid);
    }

    /** True when the caller has its answer. */
    boolean endScan() {
        if (!lethal) {
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
        return System.nanoTime() - deadline >= 0 && result.complete(false);
    }

    /** Whether it pays to look again at once instead of letting the dying die. */
    boolean impatient() {
        return newcomers || alive == 0;
    }
}
