package dev.execserver.server.exec;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Clock of one command, which stands still while its client is asked about one of its programs: the time limits of the command
 * do not count that time. Any thread; {@code lock} guards the fields.
 */
public final class CommandClock {
    private final ReentrantLock lock = new ReentrantLock();
    private int questions;
    private long stoppedAt;
    private long stoodStill;

    /** Returns a time in nanoseconds, comparable with others of this clock. */
    public long nanos() {
        lock.lock();
        try {
            return (questions > 0 ? stoppedAt : System.nanoTime()) - stoodStill;
        } finally {
            lock.unlock();
        }
    }

    /** Returns true while a question is open. */
    public boolean stopped() {
        lock.lock();
        try {
            return questions > 0;
        } finally {
            lock.unlock();
        }
    }

    void questionOpened() {
        lock.lock();
        try {
            if (questions++ == 0) {
                stoppedAt = System.nanoTime();
            }
        } finally {
            lock.unlock();
        }
    }

    void questionClosed() {
        lock.lock();
        try {
            if (--questions == 0) {
                stoodStill += System.nanoTime() - stoppedAt;
            }
        } finally {
            lock.unlock();
        }
    }
}
