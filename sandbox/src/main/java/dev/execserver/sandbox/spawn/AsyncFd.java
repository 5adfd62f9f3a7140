package dev.execserver.sandbox.spawn;

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
 * A non-blocking pipe, socket or terminal that is used in plain blocking style: the thread parks until the {@link Poller} wakes it,
 * a virtual thread never holds its carrier. One reader and one writer at a time, which may wait together (both directions
 * of a terminal are one descriptor); {@link #close()} and {@link #wake()} come from any thread.
 *
 * <p>The lock guards the two waiters and the arming, never a read or write; those are kept apart from close by the guard.
 * A waiter is entered before the descriptor is armed, and arming reports what is ready already, so no wake-up is lost.
 * Being interrupted does not end a wait; the interrupt is kept for the caller.
 */
public final class AsyncFd implements AutoCloseable {
    private static final int BROKEN = EpollCalls.EPOLLERR | EpollCalls.EPOLLHUP;
    private static final long FOREVER = -1;
    /** Output after which a pipe counts as busy. */
    private static final long BUSY_BYTES = 256 * 1024;
    /**
     * What a terminal keeps on its way to the reader besides what FIONREAD counts, with a margin: 8 KiB and what one
     * write may add (tty_buffer_set_limit in pty_unix98_install, drivers/tty/pty.c).
     */
    private static final int TERMINAL_BUFFER_BYTES = 16 * 1024;

    private final Poller poller;
    private final int number;
    private final FdGuard guard;
    private final boolean terminal;
    private final long token;
    private final ReentrantLock lock = new ReentrantLock();
    /** Wished capacity, 0 when there is no wish any more; the reader's, as is the next one. */
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
     * As {@link #pipe(Poller, Fd)}, and asks for this capacity, in bytes, after 256 KiB were read. Most commands never
     * say so much, and the kernel limits what all pipes of a user may hold.
     */
    static AsyncFd growingPipe(Poller poller, Fd readEnd, int growTo) {
        return new AsyncFd(poller, readEnd, false, growTo);
    }

    /** Takes over a terminal master, which must be O_NONBLOCK. EIO counts as its end: the last slave was closed. */
    public static AsyncFd terminal(Poller poller, Fd fd) {
        return new AsyncFd(poller, fd, true, 0);
    }

    /**
     * Parks until something can be read.
     *
     * @param buffer native, not empty
     * @return bytes read; 0 at the end of the stream
     * @throws ClosedException when closed by this server, also while waiting
     */
    @SuppressWarnings("ThreadPriorityCheck") // the yield only saves work, nothing relies on it
    public int read(MemorySegment buffer) {
        boolean yielded = false;
        while (true) {
            int count = tryRead(buffer);
            if (count >= 0) {
                return count;
            }
            // A busy child fills the pipe while others run; that saves the two system calls and switches of a park.
            if (!yielded && Thread.currentThread().isVirtual()) {
                yielded = true;
                Thread.yield();
            } else {
                yielded = false;
                awaitReadable();
            }
        }
    }

    /** As {@link #read} without waiting: -1 when nothing is there yet. */
    public int tryRead(MemorySegment buffer) {
        requireSpace(buffer);
        int fd = guard.enter();
        long result;
        try {
            result = FileCalls.read(fd, buffer);
            if (result == -Errno.EIO && terminal) {
                // The kernel looks for input and then for the end (n_tty_read in drivers/tty/n_tty.c): what was written
                // between the two looks, by a program that then closed the slave, is found only by another read.
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

    /** Parks until there is something to read, the end, a {@link #wake()} or a close; may return early. */
    public void awaitReadable() {
        await(false, FOREVER);
    }

    /**
     * As {@link #awaitReadable()} with a limit.
     *
     * @return false when the time was up
     */
    public boolean awaitReadable(long nanos) {
        return await(false, Math.max(0, nanos)) != 0;
    }

    /** The same for room to write, which is also how a connect(2) ends. */
    public boolean awaitWritable(long nanos) {
        return await(true, Math.max(0, nanos)) != 0;
    }

    /**
     * Parks until some bytes were written.
     *
     * @param buffer native, not empty
     * @return bytes written, at least 1
     * @throws LinuxException EPIPE when no process can read it any more; EIO for a terminal whose program is gone and
     *     whose input buffer is full
     * @throws ClosedException when closed by this server, also while waiting
     */
    public int write(MemorySegment buffer) {
        int events = 0;
        while (true) {
            int count = tryWrite(buffer);
            if (count >= 0) {
                return count;
            }
            // Without a slave the buffer of a terminal never drains, and every wait would end at once with a hang-up.
            if ((events & BROKEN) != 0) {
                throw new LinuxException("write", guard.toString(), terminal ? Errno.EIO : Errno.EPIPE);
            }
            events = await(true, FOREVER);
        }
    }

    /** As {@link #write} without waiting: -1 when there is no room. */
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

    /** The most that can be there to be read now, in bytes; at a terminal it may be less. */
    public int backlog() {
        return use(FileCalls::available) + (terminal ? TERMINAL_BUFFER_BYTES : 0);
    }

    public boolean closed() {
        return guard.closed();
    }

    /** Runs a call that does not block while the number is protected from being closed and reused. */
    public <T> T use(IntFunction<T> call) {
        int fd = guard.enter();
        try {
            return call.apply(fd);
        } finally {
            guard.leave();
        }
    }

    /** Ends the reader's wait without data; when nobody waits, the next wait returns at once. */
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

    /** Wakes whoever waits; idempotent. */
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

    /** On the poller's thread. */
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
            // Who waits must not hang: it tries again, arms by itself and meets the error where it can be told.
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

    /** The events that ended the wait, BROKEN when closed, 0 when the time was up. */
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

    /** Under the lock, for whoever waits now. */
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
