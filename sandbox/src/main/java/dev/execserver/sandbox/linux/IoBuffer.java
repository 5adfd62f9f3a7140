package dev.execserver.sandbox.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Native memory for file contents and directory entries, from a small pool: the kernel must not get heap memory in a call
 * that may block. Any thread may take a buffer; one thread uses it until close. Lock-free.
 */
final class IoBuffer implements AutoCloseable {
    static final int BYTES = 128 * 1024;

    private static final int SLOTS = 8;
    private static final AtomicReferenceArray<IoBuffer> POOL = new AtomicReferenceArray<>(SLOTS);

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 16);

    private final ByteBuffer bytes = memory.asByteBuffer().order(ByteOrder.nativeOrder());

    private IoBuffer() {}

    static IoBuffer take() {
        for (int slot = 0; slot < SLOTS; slot++) {
            IoBuffer buffer = POOL.getAndSet(slot, null);
            if (buffer != null) {
                return buffer;
            }
        }
        return new IoBuffer();
    }

    MemorySegment memory() {
        return memory;
    }

    /** Returns a view of the same memory, see {@link Scratch#numbers()}. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Returns the memory to the pool; if the pool is full, the garbage collector frees it. */
    @Override
    public void close() {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (POOL.compareAndSet(slot, null, this)) {
                return;
            }
        }
    }
}
