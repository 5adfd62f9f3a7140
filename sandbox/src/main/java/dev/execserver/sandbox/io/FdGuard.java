package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.Fd;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets many threads use a descriptor and any of them close it, without using a number that the kernel has given to another
 * file meanwhile: the last user releases the number. INVARIANT: between {@link #enter()} and {@link #leave()} the number
 * belongs to this descriptor. Lock-free; users must not block in between.
 */
final class FdGuard {
    private static final int CLOSED = 1 << 30;

    private final Fd fd;
    /** Number of users inside, plus CLOSED. */
    private final AtomicInteger state = new AtomicInteger();

    FdGuard(Fd fd) {
        this.fd = fd;
    }

    /** Returns the number, valid until {@link #leave()}. */
    int enter() {
        if ((state.getAndIncrement() & CLOSED) != 0) {
            leave();
            throw new ClosedException(fd.toString());
        }
        return fd.number();
    }

    void leave() {
        if (state.decrementAndGet() == CLOSED) {
            fd.close();
        }
    }

    boolean closed() {
        return (state.get() & CLOSED) != 0;
    }

    /** Refuses new users. The number is released now or by the last user inside. */
    void close() {
        int before = state.getAndUpdate(value -> value | CLOSED);
        if (before == 0) {
            fd.close();
        }
    }

    @Override
    public String toString() {
        return fd.toString();
    }
}
