package dev.execserver.sandbox.tree;

import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles.Stat;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessMark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ends a process with all its descendants, including those in other sessions or groups, those adopted by init and those of a
 * dead leader. One thread serves all callers, which share its scans of /proc. So ending thousands of trees at once costs no
 * more scans than ending one.
 *
 * <p>Any thread may call; virtual threads park. The lock guards the list of waiting sweeps and is not held during a scan.
 */
public final class ProcessTree implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ProcessTree.class.getName());
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final long FIRST_PAUSE = 500_000;
    private static final long LONGEST_PAUSE = 50_000_000;

    /** Chooses among the processes of a tree. */
    @FunctionalInterface
    public interface Members {
        boolean include(int pid, Stat stat);
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final List<TreeRequest> waiting = new ArrayList<>();
    private boolean closed;

    public ProcessTree() {
        TreeThreads.daemon("process-tree", this::run);
    }

    /**
     * Kills (SIGKILL) the process, its group and every descendant, and returns when none of them lives. Zombies, which their
     * parents have yet to reap, do not count.
     *
     * @return false if a process did not die within 10 s, because it is in an uninterruptible wait, or belongs to another
     *     user
     */
    public boolean kill(Child child) {
        // With marks, the group can be killed at once; the mark finds the processes that left it. Without marks, the
        // scan finds processes only through their parents, which must stay alive until then.
        if (child.mark().present()) {
            child.signalGroup(ProcessCalls.SIGKILL);
        }
        return sweep(TreeRequest.killing(child.mark(), Optional.of(child), deadline()));
    }

    /** Kills the rest of a process whose {@link Child} is gone, as {@link #kill(Child)} does. The mark must be present. */
    public boolean kill(ProcessMark mark) {
        return sweep(TreeRequest.killing(requirePresent(mark), Optional.empty(), deadline()));
    }

    /**
     * Signals the chosen ones among the process and its descendants, once. Processes that start meanwhile may be missed, and
     * processes of other users are passed over.
     */
    public void signal(Child child, int signal, Members addressees) {
        boolean _ =
                sweep(TreeRequest.signalling(child, signal, addressees)); // true if any process lives; nobody needs it
    }

    /** Returns true if the process or a descendant lives. */
    public boolean anyAlive(Child child) {
        return sweep(TreeRequest.looking(child.mark(), Optional.of(child)));
    }

    /** Returns true if any process bears this mark, which must be present. */
    public boolean anyAlive(ProcessMark mark) {
        return sweep(TreeRequest.looking(requirePresent(mark), Optional.empty()));
    }

    /** Ends the thread. Waiting callers get {@link ClosedException}. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static long deadline() {
        return System.nanoTime() + LIMIT.toNanos();
    }

    private boolean sweep(TreeRequest sweep) {
        lock.lock();
        try {
            if (closed) {
                throw new ClosedException("process tree");
            }
            waiting.add(sweep);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            return sweep.result().join();
        } catch (CompletionException e) {
            throw new ClosedException("process tree");
        }
    }

    private static ProcessMark requirePresent(ProcessMark mark) {
        if (!mark.present()) {
            throw new IllegalArgumentException("without a mark the tree can only be found through its child");
        }
        return mark;
    }

    private void run() {
        ProcScan scan = new ProcScan();
        List<TreeRequest> active = new ArrayList<>();
        long pause = 0;
        while (takeWaiting(active, pause)) {
            boolean impatient = scanOnce(scan, active);
            pause = impatient ? 0 : Math.clamp(pause * 2, FIRST_PAUSE, LONGEST_PAUSE);
        }
        ClosedException end = new ClosedException("process tree");
        active.forEach(sweep -> sweep.result().completeExceptionally(end));
    }

    /** Runs one scan. Returns true if the next one should follow at once. */
    private static boolean scanOnce(ProcScan scan, List<TreeRequest> active) {
        try {
            scan.run(active);
        } catch (LinuxException e) {
            // Most likely no descriptor is free, which passes.
            LOG.log(System.Logger.Level.WARNING, "scan of /proc failed, will be repeated", e);
            active.removeIf(TreeRequest::expire);
            return false;
        }
        active.removeIf(TreeRequest::endScan);
        return active.stream().anyMatch(TreeRequest::impatient);
    }

    /** Waits for a new sweep, or for the pause if there are active ones, and adds the new sweeps. Returns false if closed. */
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    private boolean takeWaiting(List<TreeRequest> active, long pause) {
        lock.lock();
        try {
            while (!closed && waiting.isEmpty() && active.isEmpty()) {
                arrived.awaitUninterruptibly();
            }
            if (!closed && waiting.isEmpty() && pause > 0) {
                // Early wake-ups only mean an earlier scan.
                boolean ignored = arrived.await(pause, TimeUnit.NANOSECONDS);
            }
            active.addAll(waiting);
            waiting.clear();
            return !closed;
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody may interrupt the scanning thread", e);
        } finally {
            lock.unlock();
        }
    }
}
