package dev.execserver.sandbox.linux;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A function of the posix_spawn(3) family, whose result is its error number.
 *
 * <p>All are called with the same signature of six numbers. For each signature that it links, the JVM makes half a dozen
 * classes, which no start-up cache keeps and for which the first start of a program waits. On x86-64 and arm64, numbers,
 * addresses and small integers use the same registers, and a function ignores registers beyond its own parameters.
 *
 * @param handle takes six longs and returns an int
 */
record SpawnFunction(String name, MethodHandle handle) {

    static SpawnFunction of(String name) {
        return new SpawnFunction(name, Libc.link(name));
    }

    /** Returns the error number, 0 for none. The caller must keep segments open whose addresses are passed. */
    int call(long a, long b, long c, long d, long e, long f) {
        try {
            return (int) handle.invokeExact(a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Calls a function that changes a structure; parameters that it does not have are 0. */
    void on(MemorySegment struct, long b, long c, long d, long e) {
        int errno = call(struct.address(), b, c, d, e, 0);
        if (errno != 0) {
            throw new LinuxException(name, "", errno);
        }
    }

    void on(MemorySegment struct, MemorySegment pointer) {
        on(struct, pointer.address(), 0, 0, 0);
    }

    void on(MemorySegment struct) {
        on(struct, 0, 0, 0, 0);
    }
}
