package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The user notifications of seccomp_unotify(2): system calls of other processes that wait for an answer. The structures are
 * the same on all 64-bit machines. Stateless.
 */
public final class NotifyCalls {
    private static final int SECCOMP_SET_MODE_FILTER = 1;
    /** SECCOMP_FILTER_FLAG_NEW_LISTENER: the result is a descriptor, closed on exec, that receives the notifications. */
    private static final int NEW_LISTENER = 8;
    /**
     * SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, Linux 5.19. Without it, every signal would end the wait of the caller with
     * EINTR, which programs do not expect from execve(2).
     */
    private static final int WAIT_KILLABLE = 32;

    private static final long RECV = 0xc0502100L;
    private static final long SEND = 0xc0182101L;
    private static final long ID_VALID = 0x40082102L;
    private static final int NOTIFICATION_BYTES = 80;
    private static final int ANSWER_BYTES = 24;
    private static final int FLAG_CONTINUE = 1;
    private static final int INSTRUCTION_BYTES = 8;

    private static final int POLLIN = 1;
    private static final int POLLOUT = 4;
    private static final int POLLHUP = 16;
    /** Offsets behind the struct pollfd: an empty struct timespec. */
    private static final int TIMEOUT = 16;

    private NotifyCalls() {}

    /**
     * A system call that waits.
     *
     * @param id names it towards the kernel
     * @param tid its thread, as this pid namespace numbers it
     * @param number of the system call
     * @param instruction address behind the instruction that made the call
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Notification(long id, int tid, int number, long instruction, long[] arguments) {}

    /** The state of a listener. */
    public enum State {
        /** A notification can be received without waiting. */
        READY,
        IDLE,
        /** No task has the filter any more. */
        ENDED
    }

    /**
     * Installs a filter with a listener on the calling thread, which must have no_new_privs.
     *
     * @throws LinuxException EBUSY if a filter of this thread has a listener already, EINVAL before Linux 5.19
     */
    public static Fd installListener(byte[] program) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment instructions = arena.allocate(program.length, 8);
            MemorySegment.copy(program, 0, instructions, JAVA_BYTE, 0, program.length);
            MemorySegment header = arena.allocate(16, 8);
            header.set(JAVA_SHORT, 0, (short) (program.length / INSTRUCTION_BYTES));
            header.set(JAVA_LONG, 8, instructions.address());
            long fd = Kernel.call(
                    Syscall.SECCOMP, SECCOMP_SET_MODE_FILTER, NEW_LISTENER | WAIT_KILLABLE, header.address());
            return new Fd((int) Kernel.check(fd, Syscall.SECCOMP, "filter with a listener"));
        }
    }

    /** Returns true if the kernel has such listeners and this process may make one. Installs none. */
    public static boolean supported() {
        // it looks at the flags before it reads the filter, which is not there
        return Kernel.call(Syscall.SECCOMP, SECCOMP_SET_MODE_FILTER, NEW_LISTENER | WAIT_KILLABLE, 0) == -Errno.EFAULT;
    }

    /** Returns the state of a listener at this moment. */
    public static State state(int listener) {
        int events = poll(listener, POLLIN);
        if ((events & POLLIN) != 0) {
            return State.READY;
        }
        return (events & POLLHUP) != 0 ? State.ENDED : State.IDLE;
    }

    /** Returns true if a write of up to 4,096 bytes to this pipe, socket, terminal or file would not wait. */
    public static boolean writable(int fd) {
        return (poll(fd, POLLOUT) & POLLOUT) != 0;
    }

    /** Returns the events of poll(2) without waiting. */
    private static int poll(int fd, int events) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            at.asSlice(0, 32).fill((byte) 0);
            at.set(JAVA_INT, 0, fd);
            at.set(JAVA_SHORT, 4, (short) events);
            long result = Kernel.call(scratch, Syscall.PPOLL, at.address(), 1, at.address() + TIMEOUT, 0);
            Kernel.check(result, Syscall.PPOLL, fd);
            return Short.toUnsignedInt(at.get(JAVA_SHORT, 6));
        }
    }

    /**
     * Receives the next notification; empty if its task has died meanwhile. Waits unless {@link #state} has just said
     * {@code READY}, and then only if another thread receives from the same listener.
     */
    public static Optional<Notification> receive(int listener) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            at.asSlice(0, NOTIFICATION_BYTES).fill((byte) 0); // the kernel refuses anything else
            long result = Kernel.call(scratch, Syscall.IOCTL, listener, RECV, at.address(), 0);
            if (result == -Errno.ENOENT) {
                return Optional.empty();
            }
            Kernel.check(result, Syscall.IOCTL, "notification of fd " + listener);
            long[] arguments = at.asSlice(32, 48).toArray(JAVA_LONG);
            return Optional.of(new Notification(
                    at.get(JAVA_LONG, 0), at.get(JAVA_INT, 8), at.get(JAVA_INT, 16), at.get(JAVA_LONG, 24), arguments));
        }
    }

    /** Returns true while the task waits for the answer. */
    public static boolean valid(int listener, long id) {
        try (Scratch scratch = Scratch.take()) {
            scratch.struct().set(JAVA_LONG, 0, id);
            return Kernel.call(
                            scratch,
                            Syscall.IOCTL,
                            listener,
                            ID_VALID,
                            scratch.struct().address(),
                            0)
                    >= 0;
        }
    }

    /** Lets the system call go on; false if the task does not wait any more. The kernel reads its arguments again. */
    public static boolean proceed(int listener, long id) {
        return send(listener, id, 0, FLAG_CONTINUE);
    }

    /** Answers with an error; false if the task does not wait any more. */
    public static boolean fail(int listener, long id, int errno) {
        return send(listener, id, -errno, 0);
    }

    /** Answers with 0, without making the call; false if the task does not wait any more. */
    public static boolean succeed(int listener, long id) {
        return send(listener, id, 0, 0);
    }

    private static boolean send(int listener, long id, int error, int flags) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            at.asSlice(0, ANSWER_BYTES).fill((byte) 0);
            at.set(JAVA_LONG, 0, id);
            at.set(JAVA_INT, 16, error);
            at.set(JAVA_INT, 20, flags);
            long result = Kernel.call(scratch, Syscall.IOCTL, listener, SEND, at.address(), 0);
            if (result == -Errno.ENOENT) {
                return false;
            }
            Kernel.check(result, Syscall.IOCTL, "answer to fd " + listener);
            return true;
        }
    }
}
