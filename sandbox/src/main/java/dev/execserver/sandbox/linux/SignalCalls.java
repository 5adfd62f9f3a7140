package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Signal handling of this process, see sigaction(2) and signalfd(2). Stateless; any thread. */
public final class SignalCalls {
    private static final long SIG_IGN = 1;
    /** Bytes of the kernel's sigset_t. */
    private static final long SET_BYTES = 8;
    /** The kernel's struct sigaction: handler, flags, restorer, mask. All zero is SIG_DFL. */
    private static final long ACTION_BYTES = 24 + SET_BYTES;

    /** struct signalfd_siginfo, see signalfd(2): number at 0, code at 8. */
    private static final long INFO_BYTES = 128;
    /** si_code of signals that the kernel itself sends, for example for a terminal. */
    private static final int SI_KERNEL = 0x80;

    private static final int SFD_CLOEXEC = FileCalls.O_CLOEXEC;

    private SignalCalls() {}

    /**
     * A signal that was read from a descriptor.
     *
     * @param fromKernel true if the kernel has sent it, as a terminal does, to its whole foreground group
     */
    public record Received(int number, boolean fromKernel) {}

    /** signalfd(2) for these signals, which every thread of this process must have blocked. Reading blocks. */
    public static Fd descriptor(List<Integer> signals) {
        try (Scratch scratch = Scratch.take()) {
            scratch.numbers().putLong(0, set(signals));
            long set = scratch.struct().address();
            long fd = Kernel.call(scratch, Syscall.SIGNALFD4, -1, set, SET_BYTES, SFD_CLOEXEC);
            return new Fd((int) Kernel.check(fd, Syscall.SIGNALFD4, signals.toString()));
        }
    }

    /** Returns the next signal from {@link #descriptor}. Blocks: platform threads only. */
    public static Received next(Fd descriptor) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment info = scratch.struct().asSlice(0, INFO_BYTES);
            long count = FileCalls.read(descriptor.number(), info);
            Kernel.check(count, Syscall.READ, descriptor.number());
            return new Received(info.get(JAVA_INT, 0), info.get(JAVA_INT, 8) == SI_KERNEL);
        }
    }

    /** Returns the signal set: signal N is bit N - 1. */
    static long set(List<Integer> signals) {
        return signals.stream().mapToLong(signal -> 1L << (signal - 1)).reduce(0, (a, b) -> a | b);
    }

    /**
     * Ignores a signal. With SIGTTIN and SIGTTOU ignored, a job in the background is not stopped for using its terminal: what
     * it reads is an error (EIO), and what it writes is shown.
     */
    public static void ignore(int signal) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment action = scratch.struct().asSlice(0, ACTION_BYTES);
            action.fill((byte) 0);
            action.set(JAVA_LONG, 0, SIG_IGN);
            long set = Kernel.call(scratch, Syscall.RT_SIGACTION, signal, action.address(), 0, SET_BYTES);
            Kernel.check(set, Syscall.RT_SIGACTION, "signal " + signal);
        }
    }

    /**
     * Removes the handler of a signal, so that the kernel's default action ends this process at once. The JVM sets handlers
     * for SIGHUP, SIGINT and SIGTERM. An ignored signal stays ignored, because nohup(1) asked for that.
     */
    public static void removeHandler(int signal) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment action = scratch.struct().asSlice(0, ACTION_BYTES);
            String object = "signal " + signal;
            long asked = Kernel.call(scratch, Syscall.RT_SIGACTION, signal, 0, action.address(), SET_BYTES);
            Kernel.check(asked, Syscall.RT_SIGACTION, object);
            if (action.get(JAVA_LONG, 0) != SIG_IGN) {
                action.fill((byte) 0);
                long set = Kernel.call(scratch, Syscall.RT_SIGACTION, signal, action.address(), 0, SET_BYTES);
                Kernel.check(set, Syscall.RT_SIGACTION, object);
            }
        }
    }
}
