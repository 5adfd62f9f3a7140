package dev.execserver.sandbox.linux;

/**
 * The door to the kernel, for all calls that take plain numbers and addresses: through the library of the distribution where
 * it can be loaded, else through the C library. Every call that a signal interrupted (EINTR) is repeated here. Stateless; any
 * thread, but a virtual thread only with calls that cannot block.
 */
final class Kernel {
    private static final boolean NATIVE = NativeSyscall.loadBesideJar();

    private Kernel() {}

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

    private static long once(Scratch scratch, Syscall call, long a, long b, long c, long d, long e, long f) {
        return NATIVE
                ? NativeSyscall.call(call.number(), a, b, c, d, e, f)
                : Libc.syscall(scratch, call.number(), a, b, c, d, e, f);
    }
}
