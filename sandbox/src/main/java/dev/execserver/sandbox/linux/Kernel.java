package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The door to the kernel: syscall(2) of the C library, one linker stub for all calls that take plain numbers and
 * addresses, and the linking of the few library functions that are no system calls. Every call that a signal interrupted
 * (EINTR) is repeated here. Stateless; any thread, but a virtual thread only with calls that cannot block.
 */
final class Kernel {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();
    private static final MethodHandle SYSCALL = LINKER.downcallHandle(
            LIBC.findOrThrow("syscall"),
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.captureCallState("errno"),
            Linker.Option.firstVariadicArg(1));

    private Kernel() {}

    /** Links a library function whose first Java argument receives errno. */
    static MethodHandle linkCapturing(String name, FunctionDescriptor descriptor) {
        Architecture.current();
        return LINKER.downcallHandle(
                LIBC.find(name).orElseThrow(() -> missing(name)), descriptor, Linker.Option.captureCallState("errno"));
    }

    /** Links a library function that returns its error number itself, as the posix_spawn family does. */
    static MethodHandle link(String name, FunctionDescriptor descriptor) {
        Architecture.current();
        return LINKER.downcallHandle(LIBC.find(name).orElseThrow(() -> missing(name)), descriptor);
    }

    private static UnsupportedPlatformException missing(String name) {
        return new UnsupportedPlatformException("the C library has no " + name + "; glibc 2.34 or newer is needed");
    }

    /** Result of the call, or the negated errno: the kernel's own convention. */
    static long call(Scratch scratch, Syscall call, long a, long b, long c, long d, long e, long f) {
        while (true) {
            long result = once(scratch, call, a, b, c, d, e, f);
            // close(2) has already released the number when it reports EINTR: repeating would close somebody else's.
            if (result != -Errno.EINTR || call == Syscall.CLOSE) {
                return result;
            }
        }
    }

    static long call(Scratch scratch, Syscall call, long a, long b, long c, long d) {
        return call(scratch, call, a, b, c, d, 0, 0);
    }

    static long call(Syscall call, long a, long b, long c, long d) {
        try (Scratch scratch = Scratch.take()) {
            return call(scratch, call, a, b, c, d, 0, 0);
        }
    }

    static long call(Syscall call, long a, long b, long c) {
        return call(call, a, b, c, 0);
    }

    static long call(Syscall call, long a) {
        return call(call, a, 0, 0, 0);
    }

    /** The result, or the exception that names the call and its object. */
    static long check(long result, Syscall call, String object) {
        if (result < 0) {
            throw new LinuxException(call.call(), object, (int) -result);
        }
        return result;
    }

    static long check(long result, Syscall call, int fd) {
        if (result < 0) {
            throw new LinuxException(call.call(), "fd " + fd, (int) -result);
        }
        return result;
    }

    /** A stub can only throw what the JVM throws for itself, such as OutOfMemoryError. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException runtime) {
            return runtime;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(thrown);
    }

    private static long once(Scratch scratch, Syscall call, long a, long b, long c, long d, long e, long f) {
        try {
            long result = (long) SYSCALL.invokeExact(scratch.state(), call.number(), a, b, c, d, e, f);
            return result == -1 ? -scratch.errno() : result;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }
}
