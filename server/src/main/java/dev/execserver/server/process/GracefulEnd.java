package dev.execserver.server.process;

import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The end of a process that a client asks for: the kill of its tree, at once or when its leader has gone or a grace is over.
 * However often it is asked for there is one plan, for the soonest end, and one thread that kills. Request threads ask, the
 * thread that tells the exit reports it; {@code lock} guards the fields and is not held while anything is killed.
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

    /** @param kill ends the tree; may take its time */
    GracefulEnd(Timers timers, Runnable kill) {
        this.timers = timers;
        this.kill = kill;
    }

    /** The tree ends so much later at the latest, and when the leader has gone before that; 0 is at once. */
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

    /** The leader has been reaped: what was asked for happens now. */
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

    /** Who asks while the tree is being killed may mean what was not there when that began. */
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
