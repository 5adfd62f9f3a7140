package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** What signals do to this process, see sigaction(2). Stateless; any thread. */
public final class SignalCalls {
    private static final long SIG_IGN = 1;
    /** Bytes of the kernel's sigset_t. */
    private static final long SET_BYTES = 8;
    /** The kernel's struct sigaction: handler, flags, restorer, mask. All zero is SIG_DFL. */
    private static final long ACTION_BYTES = 24 + SET_BYTES;

    private SignalCalls() {}

    /**
     * Takes away the handler of a signal, which the JVM has set for SIGHUP, SIGINT and SIGTERM, so that the kernel's default
     * action ends this process at once. A signal that is ignored stays so: nohup(1) has asked for that.
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
