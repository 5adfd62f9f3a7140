package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The C library through the foreign-function API: the few functions that are not system calls, and syscall(2), one stub for
 * all calls that take plain numbers and addresses. Stateless; any thread.
 */
final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();

    /** A class of its own, so that syscall(2) is linked only if it is used. */
    private static final class Syscalls {
        private static final MethodHandle SYSCALL = LINKER.downcallHandle(
                LIBC.findOrThrow("syscall"),
                FunctionDescriptor.of(
                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(1));
    }

    private Libc() {}

    /** Links a library function whose first Java argument receives errno. */
    static MethodHandle linkCapturing(String name, FunctionDescriptor descriptor) {
        Architecture.current();
        return LINKER.downcallHandle(
                LIBC.find(name).orElseThrow(() -> missing(name)), descriptor, Linker.Option.captureCallState("errno"));
    }

    /** Links a library function that returns its error number itself; see {@link SpawnFunction}. */
    static MethodHandle link(String name) {
        Architecture.current();
        return LINKER.downcallHandle(
                LIBC.find(name).orElseThrow(() -> missing(name)),
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    private static UnsupportedPlatformException missing(String name) {
        return new UnsupportedPlatformException("the C library has no " + name + "; glibc 2.34 or newer is needed");
    }

    /** Returns the result as the kernel gives it, see {@link NativeSyscall#call}. */
    static long syscall(Scratch scratch, long number, long a, long b, long c, long d, long e, long f) {
        try {
            long result = (long) Syscalls.SYSCALL.invokeExact(scratch.state(), number, a, b, c, d, e, f);
            return result == -1 ? -scratch.errno() : result;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Returns the exception to throw. A stub throws only errors of the JVM itself, such as OutOfMemoryError. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException runtime) {
            return runtime;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(thrown);
    }
}
