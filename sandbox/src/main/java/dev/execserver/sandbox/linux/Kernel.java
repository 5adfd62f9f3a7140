package dev.execserver.sandbox.linux;

/**
 * Makes the system calls that take plain numbers and addresses. It uses the library of the distribution if it can be loaded,
 * else the C library. A call that a signal interrupted (EINTR) is repeated here. Stateless; any thread, but a virtual thread
 * only for calls that cannot block.
 */
final class Kernel {
    private static final boolean NATIVE = NativeSyscall.loadBesideJar();

    private Kernel() {}

    /** Returns the result of the call, or the negated errno, as the kernel does. */
    static long call(Scratch scratch, Syscall call, long a, long b, long c, long d, long e, long f) {
        while (true) {
            long result = once(scratch, call, a, b, c, d, e, f);
            // close(2) releases the number even if it reports EINTR. Repeating it would close a file that has got the
            // number since.
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

    /** Returns the result, or throws the exception that names the call and its object. */
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
