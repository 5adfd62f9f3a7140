package dev.execserver.sandbox.linux;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts changes of the mounts on this machine. A sandbox that is reused must be built again after a change, because a new
 * mount in it could be writable against the policy. A sandbox that could not be built is tried again if mounts changed
 * meanwhile, see {@link Mark}. Any thread; {@code lock} guards the fields and is held across a call that does not block.
 */
public final class MountGeneration implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final MountEvents events = MountEvents.open();
    private long generation;
    private boolean closed;

    /** The state of mounts before a sandbox is built. */
    public final class Mark {
        private final long before = current();

        private Mark() {}

        /** Returns true if mounts have changed since. */
        public boolean passed() {
            return current() != before;
        }
    }

    /** Returns the number of changes, which stays the same while mounts do not change. */
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

    /** Returns a mark of the present state. */
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
