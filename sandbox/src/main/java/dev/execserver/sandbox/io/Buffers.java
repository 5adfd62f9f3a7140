package dev.execserver.sandbox.io;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Pool of native buffers to read into. Borrow a buffer when the descriptor is readable and return it before the next wait, so
 * that thousands of idle processes hold none. The pool keeps a bounded number of idle buffers; the garbage collector frees
 * the others. Any thread; lock-free.
 */
public final class Buffers {
    public static final int BUFFER_BYTES = 64 * 1024;

    private final int maxIdle;
    private final ConcurrentLinkedQueue<MemorySegment> idle = new ConcurrentLinkedQueue<>();
    private final AtomicInteger idleCount = new AtomicInteger();

    /**
     * Makes an empty pool.
     *
     * @param maxIdle largest number of idle buffers to keep
     */
    public Buffers(int maxIdle) {
        this.maxIdle = maxIdle;
    }

    /** One borrowed buffer. It still has the bytes of its last user. */
    public final class Lease implements AutoCloseable {
        private final MemorySegment segment;
        private final AtomicBoolean returned = new AtomicBoolean();

        private Lease(MemorySegment segment) {
            this.segment = segment;
        }

        /** Returns {@value Buffers#BUFFER_BYTES} bytes. */
        public MemorySegment segment() {
            return segment;
        }

        /** Returns the buffer to the pool. Further calls do nothing. */
        @Override
        public void close() {
            if (returned.compareAndSet(false, true)) {
                giveBack(segment);
            }
        }
    }

    public Lease borrow() {
        MemorySegment segment = idle.poll();
        if (segment == null) {
            return new Lease(Arena.ofAuto().allocate(BUFFER_BYTES, 64));
        }
        idleCount.decrementAndGet();
        return new Lease(segment);
    }

    /** Returns the number of idle buffers. */
    public int idle() {
        return idleCount.get();
    }

    private void giveBack(MemorySegment segment) {
        if (idleCount.incrementAndGet() <= maxIdle) {
            idle.add(segment);
        } else {
            idleCount.decrementAndGet();
        }
    }
}
