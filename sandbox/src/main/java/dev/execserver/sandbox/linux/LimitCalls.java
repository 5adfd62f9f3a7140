package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Resource limits of this and other processes, see prlimit(2). No call blocks. Stateless. */
public final class LimitCalls {
    public static final int RLIMIT_NOFILE = 7;
    /** Microseconds of real-time scheduling without a blocking call; soft and hard limit are unlimited by default. */
    public static final int RLIMIT_RTTIME = 15;
    /** RLIM_INFINITY, an unsigned 64-bit number. */
    public static final long UNLIMITED = -1L;
    /** Result for a process whose limits the kernel does not show. */
    public static final long HIDDEN = -2L;

    private LimitCalls() {}

    /** A soft and a hard limit. Both values are unsigned; {@link #UNLIMITED} is the largest. */
    public record Limit(long soft, long hard) {
        public Limit withSoft(long value) {
            return new Limit(value, hard);
        }
    }

    /** getrlimit(2) of this process. */
    public static Limit own(int resource) {
        try (Scratch scratch = Scratch.take()) {
            long result = read(scratch, 0, resource);
            Kernel.check(result, Syscall.PRLIMIT64, "of this process");
            return limit(scratch);
        }
    }

    /** Returns the limit of a process; empty if there is no such process or the kernel does not show its limits. */
    public static Optional<Limit> of(int pid, int resource) {
        try (Scratch scratch = Scratch.take()) {
            return read(scratch, pid, resource) < 0 ? Optional.empty() : Optional.of(limit(scratch));
        }
    }

    /**
     * Returns only the soft limit, without an object for each result: for scans of all processes.
     *
     * @return 0 if there is no such process, {@link #HIDDEN} if the kernel refuses (EPERM), else the soft limit
     */
    public static long softOrError(int pid, int resource) {
        try (Scratch scratch = Scratch.take()) {
            long result = read(scratch, pid, resource);
            if (result < 0) {
                return result == -Errno.EPERM ? HIDDEN : 0;
            }
            return scratch.struct().get(JAVA_LONG, 0);
        }
    }

    /** Sets soft and hard limit of this process. */
    public static void setOwn(int resource, Limit limit) {
        Kernel.check(write(0, resource, limit), Syscall.PRLIMIT64, "of this process");
    }

    /** Sets soft and hard limit of another process; false if it is gone or has lowered its own hard limit. */
    public static boolean trySet(int pid, int resource, Limit limit) {
        return write(pid, resource, limit) >= 0;
    }

    private static long write(int pid, int resource, Limit limit) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            at.set(JAVA_LONG, 0, limit.soft());
            at.set(JAVA_LONG, 8, limit.hard());
            return Kernel.call(scratch, Syscall.PRLIMIT64, pid, resource, at.address(), 0);
        }
    }

    private static long read(Scratch scratch, int pid, int resource) {
        return Kernel.call(
                scratch, Syscall.PRLIMIT64, pid, resource, 0, scratch.struct().address());
    }

    private static Limit limit(Scratch scratch) {
        return new Limit(scratch.struct().get(JAVA_LONG, 0), scratch.struct().get(JAVA_LONG, 8));
    }
}
