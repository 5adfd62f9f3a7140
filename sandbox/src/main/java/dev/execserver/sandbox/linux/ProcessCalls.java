package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;

/** Signals, pidfds and reaping. No call but {@link #destroy} blocks. Stateless. */
public final class ProcessCalls {
    public static final int SIGHUP = 1;
    public static final int SIGINT = 2;
    public static final int SIGKILL = 9;
    public static final int SIGTERM = 15;

    /** Stops a job in the background that reads from its terminal. */
    public static final int SIGTTIN = 21;

    /** Stops a job in the background that changes its terminal, or writes to it under {@code stty tostop}. */
    public static final int SIGTTOU = 22;

    public static final int SIGCONT = 18;
    public static final int SIGSTOP = 19;

    private static final int PRIO_PROCESS = 0;
    private static final int P_ALL = 0;
    private static final int P_PID = 1;
    private static final int P_PIDFD = 3;
    private static final int WNOHANG = 1;
    private static final int WEXITED = 4;
    private static final int WNOWAIT = 0x0100_0000;
    private static final int CLD_EXITED = 1;
    private static final int KCMP_VM = 1;
    private static final long PIDFD_GET_INFO = 0xc040ff0bL;
    private static final long PIDFD_INFO_EXIT = 8;
    /** The first version of struct pidfd_info, with the exit status at its end. */
    private static final int PIDFD_INFO_BYTES = 64;

    private static final int SIGNAL_OF_STATUS = 0x7f;
    /** Offset of struct rusage, behind the 128 bytes of siginfo_t. */
    private static final long USAGE = 128;

    private ProcessCalls() {}

    /**
     * The result of waitid(2) for a child that has ended.
     *
     * @param exited true for exit(3), false if a signal ended it
     * @param status exit code or number of the signal
     * @param userMicros processor time in user mode, microseconds, with all descendants for which the child has waited
     * @param systemMicros processor time in the kernel, microseconds, with the same descendants
     * @param maxRssKib largest resident set of any of them, KiB
     */
    public record Reaped(boolean exited, int status, long userMicros, long systemMicros, long maxRssKib) {}

    public static int ownPid() {
        return (int) Kernel.call(Syscall.GETPID, 0);
    }

    /** Returns the effective user, see geteuid(2): the owner of the files that this process makes. */
    public static int effectiveUser() {
        return (int) Kernel.call(Syscall.GETEUID, 0);
    }

    public static int parentPid() {
        return (int) Kernel.call(Syscall.GETPPID, 0);
    }

    /** getpriority(2) of the calling thread: 0 is ordinary, 19 the lowest priority. */
    public static int ownNice() {
        long raised = Kernel.call(Syscall.GETPRIORITY, PRIO_PROCESS, 0, 0);
        return 20 - (int) Kernel.check(raised, Syscall.GETPRIORITY, "of this thread"); // it returns 20 - nice
    }

    /** getpriority(2) of a thread. */
    public static int nice(int tid) {
        long raised = Kernel.call(Syscall.GETPRIORITY, PRIO_PROCESS, tid, 0);
        return 20 - (int) Kernel.check(raised, Syscall.GETPRIORITY, "of task " + tid);
    }

    /**
     * setpriority(2) of one thread: Linux keeps a nice value for each. Its new threads and processes inherit it.
     *
     * @param nice 0 is ordinary, more than 19 counts as 19; every user may raise it, few may lower it again
     * @return false if there is no such thread, or it belongs to another user
     */
    public static boolean setNice(int tid, int nice) {
        return Kernel.call(Syscall.SETPRIORITY, PRIO_PROCESS, tid, nice) >= 0;
    }

    /** kill(2); a negative pid means a process group. False if there is no process (ESRCH). */
    public static boolean kill(int pid, int signal) {
        return delivered(Kernel.call(Syscall.KILL, pid, signal, 0), Syscall.KILL, "process " + pid);
    }

    /** pidfd_open(2), closed on exec. */
    public static Fd pidfdOpen(int pid) {
        long fd = Kernel.call(Syscall.PIDFD_OPEN, pid, 0, 0);
        return new Fd((int) Kernel.check(fd, Syscall.PIDFD_OPEN, "process " + pid));
    }

    /** pidfd_open(2) of a process that may be gone; then empty. */
    public static Optional<Fd> tryPidfdOpen(int pid) {
        long fd = Kernel.call(Syscall.PIDFD_OPEN, pid, 0, 0);
        // EINVAL: the number belongs to a thread that leads no process.
        if (fd == -Errno.ESRCH || fd == -Errno.EINVAL) {
            return Optional.empty();
        }
        return Optional.of(new Fd((int) Kernel.check(fd, Syscall.PIDFD_OPEN, "process " + pid)));
    }

    /**
     * pidfd_getfd(2): a copy of a descriptor of another process, closed on exec; empty if that process has none of this
     * number.
     *
     * @throws LinuxException EPERM if this process may not trace that one, ESRCH if it is gone
     */
    public static Optional<Fd> descriptorOf(Fd pidfd, int number) {
        long fd = Kernel.call(Syscall.PIDFD_GETFD, pidfd.number(), number, 0);
        return fd == -Errno.EBADF
                ? Optional.empty()
                : Optional.of(new Fd((int) Kernel.check(fd, Syscall.PIDFD_GETFD, "descriptor " + number)));
    }

    /**
     * PIDFD_GET_INFO of ioctl_pidfd(2), Linux 6.15: returns the signal that has ended a process; empty if none has, or if the
     * kernel does not tell. The process may be reaped already.
     */
    public static OptionalInt endedBy(Fd pidfd) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment info = scratch.struct();
            info.asSlice(0, PIDFD_INFO_BYTES).fill((byte) 0);
            info.set(JAVA_LONG, 0, PIDFD_INFO_EXIT);
            long result = Kernel.call(scratch, Syscall.IOCTL, pidfd.number(), PIDFD_GET_INFO, info.address(), 0);
            boolean told = result >= 0 && (info.get(JAVA_LONG, 0) & PIDFD_INFO_EXIT) != 0;
            int signal = info.get(JAVA_INT, PIDFD_INFO_BYTES - Integer.BYTES) & SIGNAL_OF_STATUS;
            return told && signal != 0 ? OptionalInt.of(signal) : OptionalInt.empty();
        }
    }

    /** kcmp(2): returns true if two processes share their memory, or if the kernel does not tell. */
    public static boolean mayShareMemory(int pid, int other) {
        try (Scratch scratch = Scratch.take()) {
            return Kernel.call(scratch, Syscall.KCMP, pid, other, KCMP_VM, 0, 0, 0) <= 0;
        }
    }

    /** pidfd_send_signal(2): reaches exactly the process for which the descriptor was opened; false if that is gone. */
    public static boolean pidfdSendSignal(Fd pidfd, int signal) {
        long result = Kernel.call(Syscall.PIDFD_SEND_SIGNAL, pidfd.number(), signal, 0, 0);
        return delivered(result, Syscall.PIDFD_SEND_SIGNAL, "pidfd " + pidfd.number());
    }

    /**
     * Reaps the child of the pidfd if it has ended, see waitid(2): the raw call also returns the child's rusage. Empty while
     * it cannot be reaped yet.
     *
     * @throws LinuxException ECHILD if it was reaped elsewhere or this process ignores SIGCHLD
     */
    public static Optional<Reaped> reap(Fd pidfd) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment info = scratch.struct();
            info.set(JAVA_INT, 16, 0);
            long result = Kernel.call(
                    scratch,
                    Syscall.WAITID,
                    P_PIDFD,
                    pidfd.number(),
                    info.address(),
                    WEXITED | WNOHANG,
                    info.address() + USAGE,
                    0);
            Kernel.check(result, Syscall.WAITID, pidfd.number());
            // si_pid stays 0 if nothing was reaped.
            return info.get(JAVA_INT, 16) == 0 ? Optional.empty() : Optional.of(readInfo(info));
        }
    }

    /**
     * Returns the first child of this process that has ended and was not reaped, without reaping it; empty if there is none.
     */
    public static OptionalInt endedChild() {
        int pid = ended(P_ALL, 0, WEXITED | WNOHANG | WNOWAIT);
        return pid == 0 ? OptionalInt.empty() : OptionalInt.of(pid);
    }

    /** Reaps a child and drops its status; false if it is not a child or has not ended. */
    public static boolean reap(int pid) {
        return ended(P_PID, pid, WEXITED | WNOHANG) == pid;
    }

    /** Returns si_pid of waitid(2): 0 if no child has ended. */
    private static int ended(int kind, int id, int options) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment info = scratch.struct();
            info.set(JAVA_INT, 16, 0);
            long result = Kernel.call(scratch, Syscall.WAITID, kind, id, info.address(), options, 0, 0);
            if (result == -Errno.ECHILD) {
                return 0;
            }
            Kernel.check(result, Syscall.WAITID, "process " + id);
            return info.get(JAVA_INT, 16);
        }
    }

    /**
     * Kills a new child together with its group and waits until it is reaped: for a start that failed half way. Blocks;
     * platform threads only.
     */
    public static void destroy(int pid) {
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL);
        try (Scratch scratch = Scratch.take()) {
            Kernel.call(scratch, Syscall.WAITID, P_PID, pid, scratch.struct().address(), WEXITED);
        }
    }

    /** Reads siginfo_t. Its offsets on 64-bit machines: si_code 8, si_pid 16, si_status 24. */
    private static Reaped readInfo(MemorySegment info) {
        return new Reaped(
                info.get(JAVA_INT, 8) == CLD_EXITED,
                info.get(JAVA_INT, 24),
                info.get(JAVA_LONG, USAGE) * 1_000_000 + info.get(JAVA_LONG, USAGE + 8),
                info.get(JAVA_LONG, USAGE + 16) * 1_000_000 + info.get(JAVA_LONG, USAGE + 24),
                info.get(JAVA_LONG, USAGE + 32));
    }

    private static boolean delivered(long result, Syscall call, String object) {
        if (result == -Errno.ESRCH) {
            return false;
        }
        Kernel.check(result, call, object);
        return true;
    }
}
