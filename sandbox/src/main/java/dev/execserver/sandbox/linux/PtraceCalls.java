package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * ptrace(2). The kernel ties a tracee to the thread that has seized it, so one platform thread makes all calls for it, and
 * the end of that thread lets it go. No call but {@link #await} blocks. Stateless.
 */
public final class PtraceCalls {
    /** PTRACE_O_TRACEEXEC: the tracee stops before the first instruction of a new program. */
    public static final int TRACE_EXEC = 0x10;

    private static final int SETOPTIONS_SEIZE = 0x4206;
    private static final int INTERRUPT = 0x4207;
    private static final int GETREGSET = 0x4204;
    private static final int SETREGSET = 0x4205;
    private static final int DETACH = 17;
    private static final int NT_PRSTATUS = 1;
    private static final int EVENT_EXEC = 4;
    private static final int SIGTRAP = 5;

    private static final int P_ALL = 0;
    private static final int WSTOPPED = 2;
    private static final int WEXITED = 4;
    private static final int WNOWAIT = 0x0100_0000;
    /** __WNOTHREAD and __WALL: the children and tracees of this thread only, of every kind. */
    private static final int OWN_ALL = 0x2000_0000 | 0x4000_0000;

    private static final int CLD_EXITED = 1;
    private static final int CLD_DUMPED = 3;
    private static final int VECTOR = 2048;

    private static final boolean X86 = Architecture.current() == Architecture.X86_64;
    private static final long REGISTERS_BYTES = X86 ? 216 : 272;

    private PtraceCalls() {}

    /** The reason why {@link #await} has returned. */
    public sealed interface Event {
        /** The tracee has a new program, of which nothing has run. */
        record Executed(int pid) implements Event {}

        /** The tracee has stopped for another reason, such as {@link #interrupt}. */
        record Stopped(int pid) implements Event {}

        /**
         * The tracee has ended. It stays until this thread ends or its parent reaps it.
         *
         * @param exited true for exit(3), false if a signal ended it
         * @param status exit code or number of the signal
         */
        record Ended(int pid, boolean exited, int status) implements Event {}
    }

    /**
     * PTRACE_SEIZE: makes a running thread a tracee of this one.
     *
     * @throws LinuxException EPERM if it is traced already or may not be, ESRCH if it is gone
     */
    public static void seize(int tid, int options) {
        check(Kernel.call(Syscall.PTRACE, SETOPTIONS_SEIZE, tid, 0, options), tid);
    }

    /** PTRACE_INTERRUPT: the tracee stops when it would run its next instruction. */
    public static void interrupt(int tid) {
        check(Kernel.call(Syscall.PTRACE, INTERRUPT, tid, 0, 0), tid);
    }

    /** PTRACE_DETACH: lets a stopped tracee go. */
    public static void detach(int tid) {
        check(Kernel.call(Syscall.PTRACE, DETACH, tid, 0, 0), tid);
    }

    /**
     * Waits until the only tracee of this thread stops or ends. It is not reaped: a parent in this process must see its end
     * too. The number can be another one than before, because a thread that executes a program gets that of its process.
     */
    public static Event await() {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment info = scratch.struct();
            long result = Kernel.call(
                    scratch, Syscall.WAITID, P_ALL, 0, info.address(), WSTOPPED | WEXITED | WNOWAIT | OWN_ALL, 0, 0);
            Kernel.check(result, Syscall.WAITID, "tracee");
            int code = info.get(JAVA_INT, 8);
            int pid = info.get(JAVA_INT, 16);
            int status = info.get(JAVA_INT, 24);
            if (code >= CLD_EXITED && code <= CLD_DUMPED) {
                return new Event.Ended(pid, code == CLD_EXITED, status);
            }
            return status == (SIGTRAP | EVENT_EXEC << 8) ? new Event.Executed(pid) : new Event.Stopped(pid);
        }
    }

    /**
     * Makes a stopped tracee call exit_group(2) next, by its registers alone. No memory is written, so a parent that shares it
     * is unharmed.
     *
     * @param instruction address behind an instruction of the tracee that makes system calls
     */
    public static void exitNext(int tid, long instruction, int code) {
        change(tid, registers -> {
            if (X86) {
                registers.set(JAVA_LONG, 80, 231); // rax: exit_group
                registers.set(JAVA_LONG, 112, code); // rdi
                registers.set(JAVA_LONG, 120, -1); // orig_rax: not in a system call that could be restarted
                registers.set(JAVA_LONG, 128, instruction - 2); // rip
            } else {
                registers.set(JAVA_LONG, 0, code); // x0
                registers.set(JAVA_LONG, 64, 94); // x8: exit_group
                registers.set(JAVA_LONG, 256, instruction - 4); // pc
            }
        });
    }

    /** Makes a stopped tracee fail at its next instruction, with SIGSEGV: it has neither code nor stack any more. */
    public static void crashNext(int tid) {
        change(tid, registers -> {
            registers.set(JAVA_LONG, X86 ? 128 : 256, 0); // rip or pc
            registers.set(JAVA_LONG, X86 ? 152 : 248, 0); // rsp or sp
            if (X86) {
                registers.set(JAVA_LONG, 120, -1);
            }
        });
    }

    private interface Change {
        void on(MemorySegment registers);
    }

    private static void change(int tid, Change change) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment registers = scratch.struct().asSlice(0, REGISTERS_BYTES);
            MemorySegment vector = scratch.struct().asSlice(VECTOR, 16);
            vector.set(JAVA_LONG, 0, registers.address());
            vector.set(JAVA_LONG, 8, REGISTERS_BYTES);
            check(Kernel.call(scratch, Syscall.PTRACE, GETREGSET, tid, NT_PRSTATUS, vector.address()), tid);
            change.on(registers);
            check(Kernel.call(scratch, Syscall.PTRACE, SETREGSET, tid, NT_PRSTATUS, vector.address()), tid);
        }
    }

    private static void check(long result, int tid) {
        Kernel.check(result, Syscall.PTRACE, "task " + tid);
    }
}
