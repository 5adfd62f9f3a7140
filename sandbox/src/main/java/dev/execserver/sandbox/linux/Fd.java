package dev.execserver.sandbox.linux;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/**
 * An open descriptor that this process owns. The object, not the number, is its identity, because the kernel reuses a closed
 * number at once. {@link #close()} takes effect once, from any thread. If one thread may close while another uses the number,
 * the caller must prevent that, as {@code AsyncFd} of the spawn package does.
 */
public final class Fd implements AutoCloseable {
    private final int number;
    private final IntConsumer closer;
    private final AtomicBoolean closed = new AtomicBoolean();

    public Fd(int number) {
        this(number, FileCalls::close);
    }

    /**
     * Makes a descriptor that belongs to a library.
     *
     * @param closer releases the number
     */
    public Fd(int number, IntConsumer closer) {
        if (number < 0) {
            throw new IllegalArgumentException("not a descriptor: " + number);
        }
        this.number = number;
        this.closer = closer;
    }

    public int number() {
        return number;
    }

    public boolean closed() {
        return closed.get();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            closer.accept(number);
        }
    }

    @Override
    public String toString() {
        return "fd " + number;
    }
}
