package dev.execserver.sandbox.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Native memory for one system call: captured errno, a small struct and a path. It comes from a fixed pool and
 * {@link #close()} returns it, so no call and no virtual thread owns an arena. A {@code ThreadLocal} would leave one behind
 * for each of thousands of virtual threads. Any thread may take a scratch; one thread uses it until close. Lock-free.
 */
final class Scratch implements AutoCloseable {
    static final int STRUCT_BYTES = 4096;
    /** PATH_MAX of limits.h, the closing NUL included. */
    static final int PATH_BYTES = 4096;

    /** {@code Linker.Option.captureStateLayout()}: on Linux errno and nothing else. */
    private static final int STATE_BYTES = Integer.BYTES;

    private static final int SLOTS = 64;
    private static final AtomicReferenceArray<Scratch> POOL = new AtomicReferenceArray<>(SLOTS);

    private final MemorySegment state;
    private final MemorySegment struct;
    private final ByteBuffer numbers;
    private final MemorySegment path;
    private final ByteBuffer pathBytes;

    private Scratch() {
        // The collector frees it if the pool drops it.
        Arena arena = Arena.ofAuto();
        state = arena.allocate(STATE_BYTES, Integer.BYTES);
        struct = arena.allocate(STRUCT_BYTES, 16);
        numbers = struct.asByteBuffer().order(ByteOrder.nativeOrder());
        path = arena.allocate(PATH_BYTES);
        pathBytes = path.asByteBuffer();
    }

    static Scratch take() {
        int home = home();
        for (int probe = 0; probe < 4; probe++) {
            Scratch scratch = POOL.getAndSet((home + probe) & (SLOTS - 1), null);
            if (scratch != null) {
                return scratch;
            }
        }
        return new Scratch();
    }

    /** Returns the memory to the pool. Another thread may use it from then on. */
    @Override
    public void close() {
        POOL.set(home(), this);
    }

    MemorySegment state() {
        return state;
    }

    int errno() {
        return state.get(ValueLayout.JAVA_INT, 0);
    }

    /** Returns {@value #STRUCT_BYTES} bytes, with the content of the last user. */
    MemorySegment struct() {
        return struct;
    }

    /**
     * Returns a view of the same memory in the byte order of the machine, for code at the start of a program: the JVM takes
     * milliseconds for the first access to a segment by a layout, and none for this.
     */
    ByteBuffer numbers() {
        return numbers;
    }

    /**
     * Returns the address of a NUL-terminated copy of the path.
     *
     * @throws LinuxException ENAMETOOLONG, as the kernel itself would answer
     * @throws IllegalArgumentException if the path holds a NUL byte, which no system call can carry
     */
    long path(String call, byte[] bytes) {
        return path(call, bytes, path, pathBytes);
    }

    /** Returns the address of the second path of a call, as {@link #path} does. It uses the memory of {@link #struct()}. */
    long secondPath(String call, byte[] bytes) {
        return path(call, bytes, struct, numbers);
    }

    private static long path(String call, byte[] bytes, MemorySegment memory, ByteBuffer view) {
        if (bytes.length >= PATH_BYTES) {
            throw new LinuxException(call, display(bytes), Errno.ENAMETOOLONG);
        }
        for (byte b : bytes) {
            if (b == 0) {
                throw new IllegalArgumentException("path contains a NUL byte: " + display(bytes));
            }
        }
        view.put(0, bytes).put(bytes.length, (byte) 0);
        return memory.address();
    }

    static String display(byte[] path) {
        return new String(path, StandardCharsets.UTF_8);
    }

    private static int home() {
        return (int) Thread.currentThread().threadId() & (SLOTS - 1);
    }
}
