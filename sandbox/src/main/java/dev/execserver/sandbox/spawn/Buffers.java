package dev.execserver.sandbox.spawn;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Native buffers to read into. Borrow one when the descriptor is readable and give it back before waiting again: thousands
 * of idle processes then need none. The pool keeps a bounded number of idle buffers; what is above is left to the garbage
 * collector. Any thread; lock-free.
 */
public final class Buffers {
    public static final int BUFFER_BYTES = 64 * 1024;

    private final int maxIdle;
    private final ConcurrentLinkedQueue<MemorySegment> idle = new ConcurrentLinkedQueue<>();
    private final AtomicInteger idleCount = new AtomicInteger();

    /**
     * A pool without buffers yet.
     *
     * @param maxIdle buffers kept while nobody uses them
     */
    public Buffers(int maxIdle) {
        this.maxIdle = maxIdle;
    }

    /** One borrowed buffer; its content is what the last user left there. */
    public final class Lease implements AutoCloseable {
        private final MemorySegment segment;
        private final AtomicBoolean returned = new AtomicBoolean();

        private Lease(MemorySegment segment) {
            this.segment = segment;
        }

        /** {@value Buffers#BUFFER_BYTES} bytes. */
        public MemorySegment segment() {
            return segment;
        }

        /** Gives it back; only the first call counts. */
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

    /** Buffers kept at the moment. */
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
