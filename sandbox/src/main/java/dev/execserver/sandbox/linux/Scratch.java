package dev.execserver.sandbox.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Native memory for one system call: where errno is captured, room for a small struct and room for one path. Taken from a
 * fixed pool and given back by {@link #close()}, so that neither a call nor a virtual thread ever owns an arena: a
 * {@code ThreadLocal} would leave one behind for each of thousands of virtual threads. Any thread may take; a scratch is
 * used by one thread between take and close. Lock-free.
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
        // Freed by the collector if the pool ever drops it.
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

    /** Gives the memory back; its content is then somebody else's. */
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

    /** {@value #STRUCT_BYTES} bytes of whatever the last user left there. */
    MemorySegment struct() {
        return struct;
    }

    /**
     * The same memory with the byte order of the machine. For what is called at the start of a program: the first access to a
     * segment by a layout takes the JVM milliseconds, this one nothing.
     */
    ByteBuffer numbers() {
        return numbers;
    }

    /**
     * The address of a NUL-terminated copy of the path.
     *
     * @throws LinuxException ENAMETOOLONG as the kernel itself would answer
     * @throws IllegalArgumentException when the path holds a NUL byte, which no system call can carry
     */
    long path(String call, byte[] bytes) {
        return path(call, bytes, path, pathBytes);
    }

    /** As {@link #path} for the second path of a call; lies where {@link #struct()} is. */
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
