package dev.execserver.server.helper;

import dev.execserver.sandbox.linux.MountEvents;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts changes of what is mounted on this machine. A sandbox has the mounts of the moment in which it was built, with a
 * later one in it or not, as the host has it, but never as read-only as the policy wants it. Any thread; {@code lock} guards
 * the count and is held over a call that does not wait.
 */
final class MountGeneration implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final MountEvents events = MountEvents.open();
    private long generation;

    /** The same number as before when nothing has changed since. */
    long current() {
        lock.lock();
        try {
            if (events.changed()) {
                generation++;
            }
            return generation;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            events.close();
        } finally {
            lock.unlock();
        }
    }
}
