package dev.execserver.server.process.output;

import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Timed work of a process after a resume. Another resume, or the end of the connection, cancels it all: a client can
 * come back thousands of times, and no cancelled work may stay in the timer queue. {@code lock} guards the list.
 */
public final class ResumePlans {

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Timers.Planned> plans = new ArrayList<>();
    private final Timers timers;

    public ResumePlans(Timers timers) {
        this.timers = timers;
    }

    void add(Duration delay, Runnable work) {
        lock.lock();
        try {
            plans.add(timers.after(delay, "resume", work));
        } finally {
            lock.unlock();
        }
    }

    void cancel() {
        lock.lock();
        try {
            plans.forEach(Timers.Planned::cancel);
            plans.clear();
        } finally {
            lock.unlock();
        }
    }
}
