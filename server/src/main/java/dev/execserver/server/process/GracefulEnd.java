package dev.execserver.server.process;

import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Kills the tree of a process at a client's request: at once, or when its leader has exited or a grace is over. Any
 * number of requests lead to one plan, for the earliest end, and to one thread that kills. Request threads ask, the
 * thread that reports the exit calls {@link #leaderGone}; {@code lock} guards the fields and is not held while
 * processes are killed.
 */
final class GracefulEnd {

    private final ReentrantLock lock = new ReentrantLock();
    private final Timers timers;
    private final Runnable kill;
    private Optional<Timers.Planned> planned = Optional.empty();
    private long plannedNanos;
    private boolean leaderGone;
    private boolean killing;
    private boolean again;

    /** @param kill kills the tree; may take long */
    GracefulEnd(Timers timers, Runnable kill) {
        this.timers = timers;
        this.kill = kill;
    }

    /** Plans the kill after this time, or as soon as the leader has exited; 0 kills at once. */
    void within(Duration grace) {
        lock.lock();
        try {
            long nanos = System.nanoTime() + grace.toNanos();
            if (leaderGone || grace.isZero()) {
                killSoon();
            } else if (planned.isEmpty() || nanos < plannedNanos) {
                planned.ifPresent(Timers.Planned::cancel);
                plannedNanos = nanos;
                planned = Optional.of(timers.after(grace, "terminate", this::now));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Called when the leader was reaped. A planned kill happens now. */
    void leaderGone() {
        lock.lock();
        try {
            leaderGone = true;
            if (planned.isPresent()) {
                killSoon();
            }
        } finally {
            lock.unlock();
        }
    }

    private void now() {
        lock.lock();
        try {
            killSoon();
        } finally {
            lock.unlock();
        }
    }

    private void killSoon() {
        planned.ifPresent(Timers.Planned::cancel);
        planned = Optional.empty();
        again = killing;
        if (!killing) {
            killing = true;
            Threads.virtual("terminate", this::killAll);
        }
    }

    private void killAll() {
        do {
            kill.run();
        } while (anotherTime());
    }

    /**
     * Returns true if another request came during the kill: it may mean processes that did not exist when the kill
     * began.
     */
    private boolean anotherTime() {
        lock.lock();
        try {
            killing = again;
            again = false;
            return killing;
        } finally {
            lock.unlock();
        }
    }
}
