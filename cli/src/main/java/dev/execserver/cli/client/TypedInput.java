package dev.execserver.cli.client;

import dev.execserver.client.error.ExecServerException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Queue of what was typed for the remote program. So the thread that reads the terminal sees the keys for this program also while the line is
 * down or the program reads nothing. {@code lock} guards all; one thread adds, a daemon thread of this class sends, and any thread asks.
 */
final class TypedInput {
    /** More than a person types; a longer paste waits before it is read, and keys behind it too. */
    static final int MAX_BYTES = 1 << 20;

    private final RemoteTask task;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private int bytes;
    private boolean ended;
    private boolean refused;

    private TypedInput(RemoteTask task) {
        this.task = task;
    }

    static TypedInput to(RemoteTask task) {
        TypedInput made = new TypedInput(task);
        CliThreads.daemon("run-typed", made::send);
        return made;
    }

    /** Adds what was typed; waits for room. */
    void add(byte[] typed) throws InterruptedException {
        lock.lock();
        try {
            while (bytes > 0 && bytes + typed.length > MAX_BYTES && !refused) {
                changed.await();
            }
            if (typed.length > 0 && !refused) {
                waiting.add(typed);
                bytes += typed.length;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tells that there will be no more: the end of the input is sent behind the rest. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all is sent, or for so long. */
    void awaitSent(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (bytes > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns how much was typed that the server has not confirmed. */
    int waitingBytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    private void send() {
        try {
            for (byte[] next = first(); next.length > 0; next = first()) {
                task.write(next);
                sent(next);
            }
            task.closeStdin();
        } catch (ExecServerException e) {
            refuse(); // the program takes no more, or the connection is lost; the events report it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns what is next; nothing at the end. */
    private byte[] first() throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty() && !ended) {
                changed.await();
            }
            return waiting.isEmpty() ? new byte[0] : waiting.peek();
        } finally {
            lock.unlock();
        }
    }

    private void sent(byte[] typed) {
        lock.lock();
        try {
            waiting.remove();
            bytes -= typed.length;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void refuse() {
        lock.lock();
        try {
            refused = true;
            waiting.clear();
            bytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
