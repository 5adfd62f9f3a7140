package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.EpollCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * A non-blocking pipe, socket or terminal with blocking methods. A waiting thread parks until the {@link Poller} wakes it, so
 * a virtual thread never holds its carrier. At most one reader and one writer at a time; both may wait together, because a
 * terminal has one descriptor for both directions. Any thread may call {@link #close()} and {@link #wake()}.
 *
 * <p>The lock guards the two waiters and the arming, never a read or write; the guard keeps reads and writes apart from
 * close. A waiter is registered before the descriptor is armed, and arming reports present readiness, so no wake-up is lost.
 * An interrupt does not end a wait; the interrupt flag is set again for the caller.
 */
public final class AsyncFd implements AutoCloseable {
    private static final int BROKEN = EpollCalls.EPOLLERR | EpollCalls.EPOLLHUP;
    private static final long FOREVER = -1;
    /** Output after which a pipe counts as busy. */
    private static final long BUSY_BYTES = 256 * 1024;
    /**
     * Upper bound of the bytes that a terminal holds for its reader and that FIONREAD does not count: 8 KiB and the bytes
     * that one write may add (tty_buffer_set_limit in pty_unix98_install, drivers/tty/pty.c), with a margin.
     */
    private static final int TERMINAL_BUFFER_BYTES = 16 * 1024;

    private final Poller poller;
    private final int number;
    private final FdGuard guard;
    private final boolean terminal;
    private final long token;
    private final ReentrantLock lock = new ReentrantLock();
    /** Requested capacity, 0 after the request; used by the reader's thread only, like {@code readSoFar}. */
    private int growTo;

    private long readSoFar;

    private Waiter reader;
    private Waiter writer;
    private boolean wakePending;
    private boolean enlisted;
    private boolean closed;

    private AsyncFd(Poller poller, Fd fd, boolean terminal, int growTo) {
        this.poller = poller;
        this.number = fd.number();
        this.guard = new FdGuard(fd);
        this.terminal = terminal;
        this.growTo = growTo;
        this.token = poller.enroll(new Poller.Target() {
            @Override
            public void ready(int events) {
                dispatch(events);
            }

            @Override
            public void pollerClosed() {
                close();
            }
        });
    }

    /** Takes over one end of a pipe, which must be O_NONBLOCK. */
    public static AsyncFd pipe(Poller poller, Fd fd) {
        return new AsyncFd(poller, fd, false, 0);
    }

    /**
     * Takes over a read end as {@link #pipe(Poller, Fd)} does, and asks for this capacity, in bytes, after 256 KiB were read.
     * Most commands never write that much, and the kernel limits the memory of all pipes of a user.
     */
    public static AsyncFd growingPipe(Poller poller, Fd readEnd, int growTo) {
        return new AsyncFd(poller, readEnd, false, growTo);
    }

    /**
     * Takes over a terminal master, which must be O_NONBLOCK. EIO counts as its end, because then the last slave was closed.
     */
    public static AsyncFd terminal(Poller poller, Fd fd) {
        return new AsyncFd(poller, fd, true, 0);
    }

    /**
     * Reads bytes. Parks until there are some.
     *
     * @param buffer native, not empty
     * @return bytes read; 0 at the end of the stream
     * @throws ClosedException if this server has closed it, before or during the wait
     */
    @SuppressWarnings("ThreadPriorityCheck") // the yield only saves work, nothing relies on it
    public int read(MemorySegment buffer) {
        boolean yielded = false;
        while (true) {
            int count = tryRead(buffer);
            if (count >= 0) {
                return count;
            }
            // A busy child fills the pipe while other threads run. That saves the two system calls and the thread
            // switches of a park.
            if (!yielded && Thread.currentThread().isVirtual()) {
                yielded = true;
                Thread.yield();
            } else {
                yielded = false;
                awaitReadable();
            }
        }
    }

    /** Reads bytes without waiting, as {@link #read} does: -1 if nothing is there yet. */
    public int tryRead(MemorySegment buffer) {
        requireSpace(buffer);
        int fd = guard.enter();
        long result;
        try {
            result = FileCalls.read(fd, buffer);
            if (result == -Errno.EIO && terminal) {
                // The kernel looks for input and then for the end (n_tty_read in drivers/tty/n_tty.c). A program may
                // write between the two and then close the slave. Only another read finds those bytes.
                result = FileCalls.read(fd, buffer);
            }
            growWhenBusy(fd, result);
        } finally {
            guard.leave();
        }
        if (result >= 0) {
            return (int) result;
        }
        if (result == -Errno.EAGAIN) {
            return -1;
        }
        if (result == -Errno.EIO && terminal) {
            return 0;
        }
        throw new LinuxException("read", guard.toString(), (int) -result);
    }

    private void growWhenBusy(int fd, long justRead) {
        if (growTo > 0) {
            readSoFar += justRead;
            if (readSoFar >= BUSY_BYTES) {
                PipeCalls.enlarge(fd, growTo);
                growTo = 0;
            }
        }
    }

    /** Parks until there is something to read, the end, a {@link #wake()} or a close. May return early. */
    public void awaitReadable() {
        await(false, FOREVER);
    }

    /**
     * Parks as {@link #awaitReadable()} does, with a time limit.
     *
     * @return false if the time was up
     */
    public boolean awaitReadable(long nanos) {
        return await(false, Math.max(0, nanos)) != 0;
    }

    /** Parks until there is room to write, or until a connect(2) has finished; false if the time was up. */
    public boolean awaitWritable(long nanos) {
        return await(true, Math.max(0, nanos)) != 0;
    }

    /**
     * Writes some bytes. Parks until there is room.
     *
     * @param buffer native, not empty
     * @return bytes written, at least 1
     * @throws LinuxException EPIPE if no process can read them any more; EIO for a terminal whose program is gone and whose
     *     input buffer is full
     * @throws ClosedException if this server has closed it, before or during the wait
     */
    public int write(MemorySegment buffer) {
        int events = 0;
        while (true) {
            int count = tryWrite(buffer);
            if (count >= 0) {
                return count;
            }
            // Without a slave, the buffer of a terminal never drains, and each wait would end at once with a hang-up.
            if ((events & BROKEN) != 0) {
                throw new LinuxException("write", guard.toString(), terminal ? Errno.EIO : Errno.EPIPE);
            }
            events = await(true, FOREVER);
        }
    }

    /** Writes bytes without waiting, as {@link #write} does: -1 if there is no room. */
    public int tryWrite(MemorySegment buffer) {
        requireSpace(buffer);
        int fd = guard.enter();
        long result;
        try {
            result = FileCalls.write(fd, buffer);
        } finally {
            guard.leave();
        }
        if (result > 0) {
            return (int) result;
        }
        if (result == 0 || result == -Errno.EAGAIN) {
            return -1;
        }
        throw new LinuxException("write", guard.toString(), (int) -result);
    }

    /** Returns the largest number of bytes that can be read now; a terminal may have fewer. */
    public int backlog() {
        return use(FileCalls::available) + (terminal ? TERMINAL_BUFFER_BYTES : 0);
    }

    public boolean closed() {
        return guard.closed();
    }

    /** Runs a non-blocking call while the descriptor number cannot be closed and reused. */
    public <T> T use(IntFunction<T> call) {
        int fd = guard.enter();
        try {
            return call.apply(fd);
        } finally {
            guard.leave();
        }
    }

    /** Ends the reader's wait without data. If no thread waits, the next wait returns at once. */
    public void wake() {
        Waiter woken;
        lock.lock();
        try {
            woken = reader;
            reader = null;
            wakePending = woken == null;
        } finally {
            lock.unlock();
        }
        wake(woken, EpollCalls.EPOLLIN);
    }

    /** Closes the descriptor and wakes the waiting threads. Idempotent. */
    @Override
    public void close() {
        Waiter in;
        Waiter out;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            poller.forget(token, number, enlisted);
            in = reader;
            out = writer;
            reader = null;
            writer = null;
        } finally {
            lock.unlock();
        }
        guard.close();
        wake(in, BROKEN);
        wake(out, BROKEN);
    }

    /** Wakes the threads that wait for these events. Runs on the poller's thread. */
    private void dispatch(int events) {
        boolean broken = (events & BROKEN) != 0;
        Waiter in = null;
        Waiter out = null;
        lock.lock();
        try {
            if (broken || (events & EpollCalls.EPOLLIN) != 0) {
                in = reader;
                reader = null;
            }
            if (broken || (events & EpollCalls.EPOLLOUT) != 0) {
                out = writer;
                writer = null;
            }
            if (!closed && (reader != null || writer != null)) {
                // The event has disarmed both directions, and the other one still waits.
                arm();
            }
        } catch (LinuxException | ClosedException e) {
            // Waiting threads must not hang. They try again, arm by themselves and throw the error to their callers.
            in = in == null ? reader : in;
            out = out == null ? writer : out;
            reader = null;
            writer = null;
        } finally {
            lock.unlock();
        }
        wake(in, events);
        wake(out, events);
    }

    /** Returns the events that ended the wait; BROKEN if closed, 0 if the time was up. */
    private int await(boolean writing, long nanos) {
        Waiter mine = new Waiter();
        lock.lock();
        try {
            if (closed) {
                return BROKEN;
            }
            if (!writing && wakePending) {
                wakePending = false;
                return EpollCalls.EPOLLIN;
            }
            if ((writing ? writer : reader) != null) {
                throw new IllegalStateException("a second thread waits for " + guard);
            }
            enter(writing, mine);
            arm();
        } catch (RuntimeException e) {
            leave(mine);
            throw e;
        } finally {
            lock.unlock();
        }
        return park(mine, nanos);
    }

    private int park(Waiter mine, long nanos) {
        long deadline = System.nanoTime() + nanos;
        boolean interrupted = false;
        while (!mine.done()) {
            if (nanos == FOREVER) {
                LockSupport.park(this);
            } else {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    cancel(mine);
                    break;
                }
                LockSupport.parkNanos(this, left);
            }
            // A set interrupt flag would make every park return at once.
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return mine.events();
    }

    private void cancel(Waiter mine) {
        lock.lock();
        try {
            leave(mine);
        } finally {
            lock.unlock();
        }
    }

    private void enter(boolean writing, Waiter mine) {
        if (writing) {
            writer = mine;
        } else {
            reader = mine;
        }
    }

    private void leave(Waiter mine) {
        if (reader == mine) {
            reader = null;
        }
        if (writer == mine) {
            writer = null;
        }
    }

    /** Arms the descriptor for the waiting threads. Call it under the lock. */
    private void arm() {
        int events = (reader == null ? 0 : EpollCalls.EPOLLIN) | (writer == null ? 0 : EpollCalls.EPOLLOUT);
        poller.arm(token, number, events, !enlisted);
        enlisted = true;
    }

    private static void wake(Waiter waiter, int events) {
        if (waiter != null) {
            waiter.wake(events);
        }
    }

    private static void requireSpace(MemorySegment buffer) {
        if (buffer.byteSize() == 0) {
            throw new IllegalArgumentException("empty buffer: a result of 0 would look like the end of the stream");
        }
    }
}
