package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Terminals, pseudo terminals among them, see pty(7). No call but {@link #setAttributes} blocks. Stateless. */
public final class TerminalCalls {
    private static final long TCGETS = 0x5401;
    private static final long TCSETS = 0x5402;
    private static final long TCSETSW = 0x5403;
    private static final long TIOCGPGRP = 0x540f;
    private static final long TIOCSPGRP = 0x5410;
    private static final long TIOCGWINSZ = 0x5413;
    private static final long TIOCSWINSZ = 0x5414;
    private static final long NAME_BYTES = 128;
    private static final short POLLIN = 1;
    private static final int POLL_TIMEOUT = 16;

    private static final FunctionDescriptor INT_TO_INT = FunctionDescriptor.of(JAVA_INT, JAVA_INT);
    private static final MethodHandle OPENPT = Libc.linkCapturing("posix_openpt", INT_TO_INT);
    private static final MethodHandle GRANTPT = Libc.linkCapturing("grantpt", INT_TO_INT);
    private static final MethodHandle UNLOCKPT = Libc.linkCapturing("unlockpt", INT_TO_INT);
    private static final MethodHandle PTSNAME =
            Libc.linkCapturing("ptsname_r", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG));

    private TerminalCalls() {}

    /** Size of a window in character cells. */
    public record WindowSize(int rows, int columns) {}

    /**
     * posix_openpt(3), grantpt(3), unlockpt(3): opens a master whose slave may be opened. O_NOCTTY keeps a server that leads
     * a session without a terminal from getting this one as its controlling terminal.
     */
    public static Fd openMaster() {
        int flags = FileCalls.O_RDWR | FileCalls.O_NOCTTY | FileCalls.O_CLOEXEC;
        Fd master = new Fd(invoke(OPENPT, flags, "posix_openpt"));
        try {
            invoke(GRANTPT, master.number(), "grantpt");
            invoke(UNLOCKPT, master.number(), "unlockpt");
            return master;
        } catch (LinuxException e) {
            master.close();
            throw e;
        }
    }

    /** ptsname_r(3): path of the slave, for example {@code /dev/pts/3}. */
    public static String slavePath(int master) {
        try (Scratch scratch = Scratch.take()) {
            int errno = (int) PTSNAME.invokeExact(scratch.state(), master, scratch.struct(), NAME_BYTES);
            if (errno != 0) {
                throw new LinuxException("ptsname_r", "fd " + master, errno);
            }
            return scratch.struct().getString(0);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** TIOCSWINSZ of ioctl_tty(2). If the size changes, the foreground group of the slave gets SIGWINCH. */
    public static void setWindowSize(int fd, WindowSize size) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            at.set(JAVA_SHORT, 0, (short) size.rows());
            at.set(JAVA_SHORT, 2, (short) size.columns());
            at.set(JAVA_INT, 4, 0);
            long result = Kernel.call(scratch, Syscall.IOCTL, fd, TIOCSWINSZ, at.address(), 0);
            Kernel.check(result, Syscall.IOCTL, fd);
        }
    }

    /** TIOCGWINSZ of ioctl_tty(2). */
    public static WindowSize windowSize(int fd) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            long result = Kernel.call(scratch, Syscall.IOCTL, fd, TIOCGWINSZ, at.address(), 0);
            Kernel.check(result, Syscall.IOCTL, fd);
            return new WindowSize(
                    Short.toUnsignedInt(at.get(JAVA_SHORT, 0)), Short.toUnsignedInt(at.get(JAVA_SHORT, 2)));
        }
    }

    /** isatty(3). */
    public static boolean isTerminal(int fd) {
        try (Scratch scratch = Scratch.take()) {
            return Kernel.call(
                            scratch, Syscall.IOCTL, fd, TCGETS, scratch.struct().address(), 0)
                    >= 0;
        }
    }

    /** poll(2): returns true if a read would not block, because there is input or its end, or the terminal is gone. */
    public static boolean readable(int fd) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment poll = scratch.struct();
            poll.set(JAVA_INT, 0, fd);
            poll.set(JAVA_SHORT, 4, POLLIN);
            poll.set(JAVA_SHORT, 6, (short) 0);
            poll.set(JAVA_LONG, POLL_TIMEOUT, 0);
            poll.set(JAVA_LONG, POLL_TIMEOUT + 8, 0);
            long ready = Kernel.call(scratch, Syscall.PPOLL, poll.address(), 1, poll.address() + POLL_TIMEOUT, 0);
            Kernel.check(ready, Syscall.PPOLL, fd);
            return ready > 0;
        }
    }

    /** tcgetattr(3). */
    public static TerminalAttributes attributes(int fd) {
        try (Scratch scratch = Scratch.take()) {
            long result = Kernel.call(
                    scratch, Syscall.IOCTL, fd, TCGETS, scratch.struct().address(), 0);
            Kernel.check(result, Syscall.IOCTL, fd);
            return TerminalAttributes.copyOf(scratch.struct());
        }
    }

    /** tcsetattr(3) with TCSADRAIN: takes effect after all earlier output was sent. A stopped terminal makes it block. */
    public static void setAttributes(int fd, TerminalAttributes attributes) {
        try (Scratch scratch = Scratch.take()) {
            attributes.copyTo(scratch.struct());
            long result = Kernel.call(
                    scratch, Syscall.IOCTL, fd, TCSETSW, scratch.struct().address(), 0);
            Kernel.check(result, Syscall.IOCTL, fd);
        }
    }

    /** tcsetattr(3) with TCSANOW. Given a master, the kernel changes the slave. */
    public static void setAttributesNow(int fd, TerminalAttributes attributes) {
        try (Scratch scratch = Scratch.take()) {
            attributes.copyTo(scratch.struct());
            long result = Kernel.call(
                    scratch, Syscall.IOCTL, fd, TCSETS, scratch.struct().address(), 0);
            Kernel.check(result, Syscall.IOCTL, fd);
        }
    }

    /**
     * TIOCGPGRP of ioctl_tty(2), on a master or the controlling terminal: the foreground process group, in the pid namespace of
     * this process. 0 if there is none, or none that this process can see.
     */
    public static int foregroundGroup(int master) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            at.set(JAVA_INT, 0, 0);
            long result = Kernel.call(scratch, Syscall.IOCTL, master, TIOCGPGRP, at.address(), 0);
            Kernel.check(result, Syscall.IOCTL, master);
            return at.get(JAVA_INT, 0);
        }
    }

    /**
     * TIOCSPGRP of ioctl_tty(2), tcsetpgrp(3), on the controlling terminal. A job in the background must ignore SIGTTOU for it.
     */
    public static void setForegroundGroup(int terminal, int group) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            at.set(JAVA_INT, 0, group);
            long result = Kernel.call(scratch, Syscall.IOCTL, terminal, TIOCSPGRP, at.address(), 0);
            Kernel.check(result, Syscall.IOCTL, terminal);
        }
    }

    private static int invoke(MethodHandle handle, int argument, String call) {
        try (Scratch scratch = Scratch.take()) {
            int result = (int) handle.invokeExact(scratch.state(), argument);
            if (result < 0) {
                throw new LinuxException(call, "", scratch.errno());
            }
            return result;
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
