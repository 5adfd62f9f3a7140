package dev.execserver.sandbox.linux;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts changes of what is mounted on this machine. Two things depend on it: a sandbox that is used again must be built anew
 * when something was mounted since, for it would not be as read-only as the policy wants it; and one that could not be built
 * is tried again when something was mounted or unmounted meanwhile, see {@link Mark}. Any thread; {@code lock} guards the
 * fields and is held over a call that does not wait.
 */
public final class MountGeneration implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final MountEvents events = MountEvents.open();
    private long generation;
    private boolean closed;

    /** The moment before a sandbox is built. */
    public final class Mark {
        private final long before = current();

        private Mark() {}

        /** Returns true if something was mounted or unmounted since. */
        public boolean passed() {
            return current() != before;
        }
    }

    /** The same number as before when nothing has changed since. */
    public long current() {
        lock.lock();
        try {
            if (!closed && events.changed()) {
                generation++;
            }
            return generation;
        } finally {
            lock.unlock();
        }
    }

    /** Remembers this moment. */
    public Mark mark() {
        return new Mark();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            events.close();
        } finally {
            lock.unlock();
        }
    }
}
