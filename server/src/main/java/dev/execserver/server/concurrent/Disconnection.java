package dev.execserver.server.concurrent;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Event that a client has gone. Runs the work that was planned for it, such as ending work whose result nobody reads
 * any more. Any thread; {@code lock} guards the fields and is not held while work runs.
 */
public final class Disconnection {

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Planned> planned = new LinkedHashSet<>();
    private volatile boolean happened;

    /** Work that runs when the client goes, unless this handle is closed before. */
    public final class Planned implements AutoCloseable {
        private final Runnable work;

        private Planned(Runnable work) {
            this.work = work;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                planned.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns true if the client has gone. */
    public boolean happened() {
        return happened;
    }

    /** Plans work for the time when the client goes, on a thread of its own. Runs it at once if the client has gone. */
    public Planned then(Runnable work) {
        Planned plan = new Planned(work);
        lock.lock();
        try {
            if (!happened) {
                planned.add(plan);
                return plan;
            }
        } finally {
            lock.unlock();
        }
        Threads.virtual("departure", work);
        return plan;
    }

    /** Records that the client has gone and starts the planned work. Does not wait. */
    void happen() {
        List<Planned> due;
        lock.lock();
        try {
            happened = true;
            due = new ArrayList<>(planned);
            planned.clear();
        } finally {
            lock.unlock();
        }
        due.forEach(plan -> Threads.virtual("departure", plan.work));
    }
}
