package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/** Pipes and event counters, see pipe(7) and eventfd(2). No call blocks. Stateless. */
public final class PipeCalls {
    /** Capacity of a new pipe if its user does not hold too many, see pipe(7). */
    public static final int DEFAULT_BYTES = 64 * 1024;

    private static final int F_SETPIPE_SZ = 1031;
    private static final int F_GETPIPE_SZ = 1032;
    private static final int SPLICE_F_MOVE = 1;
    private static final int SPLICE_F_NONBLOCK = 2;
    /** Lowest descriptor number that is not standard input, output or error of a child. */
    private static final int FIRST_PLAIN = 3;

    private PipeCalls() {}

    /** The two ends of a pipe; both are closed on exec. */
    public record Pipe(Fd readEnd, Fd writeEnd) implements AutoCloseable {
        @Override
        public void close() {
            readEnd.close();
            writeEnd.close();
        }
    }

    /**
     * pipe2(2) with O_CLOEXEC. Both numbers are above 2, even if the server itself was started without a standard stream. The
     * set-up of a child's standard streams would overwrite the numbers 0 to 2.
     *
     * @throws LinuxException EMFILE or ENFILE if no descriptor is left; nothing stays open then
     */
    public static Pipe pipe() {
        int read;
        int write;
        try (Scratch scratch = Scratch.take()) {
            long result = Kernel.call(scratch, Syscall.PIPE2, scratch.struct().address(), FileCalls.O_CLOEXEC, 0, 0);
            Kernel.check(result, Syscall.PIPE2, "");
            read = scratch.struct().get(JAVA_INT, 0);
            write = scratch.struct().get(JAVA_INT, 4);
        }
        Fd readEnd = new Fd(read);
        Fd writeEnd = new Fd(write);
        if (read >= FIRST_PLAIN && write >= FIRST_PLAIN) {
            return new Pipe(readEnd, writeEnd);
        }
        // The original descriptors are always closed, also if there is no number left for a copy.
        try (readEnd;
                writeEnd) {
            Fd highRead = FileCalls.duplicate(read, FIRST_PLAIN);
            try {
                return new Pipe(highRead, FileCalls.duplicate(write, FIRST_PLAIN));
            } catch (LinuxException e) {
                highRead.close();
                throw e;
            }
        }
    }

    /**
     * Requests a larger pipe buffer; false if the kernel refuses, which changes nothing. It refuses unprivileged users with
     * EPERM above /proc/sys/fs/pipe-max-size, or if all pipes of the user hold too many pages (pipe-user-pages-soft, 64 MiB).
     * Above that limit, every new pipe of the user gets only 8 KiB, so enlarge only busy pipes.
     */
    public static boolean enlarge(int pipeEnd, int bytes) {
        return Kernel.call(Syscall.FCNTL, pipeEnd, F_SETPIPE_SZ, bytes) >= 0;
    }

    /** F_GETPIPE_SZ of fcntl(2), bytes. */
    public static int capacity(int pipeEnd) {
        return (int) Kernel.check(Kernel.call(Syscall.FCNTL, pipeEnd, F_GETPIPE_SZ, 0), Syscall.FCNTL, pipeEnd);
    }

    /**
     * splice(2) between a pipe and another file: moves as much as possible without waiting.
     *
     * @return bytes moved, 0 at the end of {@code from}, -1 if nothing is there or there is no room
     * @throws LinuxException EPIPE or ECONNRESET if one end is gone
     */
    public static long splice(int from, int to, long bytes) {
        try (Scratch scratch = Scratch.take()) {
            long moved = Kernel.call(scratch, Syscall.SPLICE, from, 0, to, 0, bytes, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
            return moved == -Errno.EAGAIN ? -1 : Kernel.check(moved, Syscall.SPLICE, from);
        }
    }

    /** eventfd(2), non-blocking and closed on exec. */
    public static Fd eventCounter() {
        long fd = Kernel.call(Syscall.EVENTFD2, 0, FileCalls.O_CLOEXEC | FileCalls.O_NONBLOCK, 0);
        return new Fd((int) Kernel.check(fd, Syscall.EVENTFD2, ""));
    }
}
