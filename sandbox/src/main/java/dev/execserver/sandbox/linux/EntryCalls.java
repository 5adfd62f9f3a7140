package dev.execserver.sandbox.linux;

import java.nio.charset.StandardCharsets;

/**
 * Making, removing and naming single entries, and locks on them. Calls that reach a file system may block: platform threads only.
 * Stateless.
 */
public final class EntryCalls {
    private static final int AT_REMOVEDIR = 0x200;
    private static final int O_CREAT = 0100;
    private static final int O_EXCL = 0200;
    private static final int LOCK_SH = 1;
    private static final int LOCK_EX = 2;
    private static final int LOCK_NB = 4;
    private static final int LOCK_UN = 8;

    private EntryCalls() {}

    /** The path without symbolic links, as the kernel names the file that it leads to. */
    public static byte[] realPath(byte[] path) {
        try (Fd file = FileCalls.open(path, FileCalls.O_PATH, 0)) {
            return nameOf(file);
        }
    }

    /**
     * How the kernel names an open file at this moment, see proc_pid_fd(5): wherever it was moved; with {@code (deleted)}
     * behind it when it is gone, and without a slash at the start when there is no way to it. Never waits.
     */
    public static byte[] nameOf(Fd file) {
        return FileCalls.readLink(("/proc/self/fd/" + file.number()).getBytes(StandardCharsets.US_ASCII));
    }

    /** mkdirat(2). */
    public static void makeDirectory(byte[] path, int mode) {
        at(Syscall.MKDIRAT, path, mode);
    }

    /** A new empty file with exactly these permission bits, whatever the umask; EEXIST when something is there. */
    public static void makeFile(byte[] path, int mode) {
        try (Fd file = FileCalls.open(path, FileCalls.O_WRONLY | O_CREAT | O_EXCL, mode)) {
            Kernel.check(Kernel.call(Syscall.FCHMOD, file.number(), mode, 0), Syscall.FCHMOD, Scratch.display(path));
        }
    }

    /** unlinkat(2) of anything but a directory. */
    public static void removeFile(byte[] path) {
        at(Syscall.UNLINKAT, path, 0);
    }

    /** unlinkat(2) of a directory; ENOTEMPTY when something is in it. */
    public static void removeDirectory(byte[] path) {
        at(Syscall.UNLINKAT, path, AT_REMOVEDIR);
    }

    /** flock(2) for reading, shared with others who do the same; false when somebody holds it for himself. */
    public static boolean tryLockShared(Fd fd) {
        return tryLock(fd, LOCK_SH);
    }

    /** flock(2) for this descriptor alone; false when somebody else holds it. */
    public static boolean tryLockExclusive(Fd fd) {
        return tryLock(fd, LOCK_EX);
    }

    /** Gives back a lock of flock(2); nothing when there is none. */
    public static void unlock(Fd fd) {
        Kernel.check(Kernel.call(Syscall.FLOCK, fd.number(), LOCK_UN, 0), Syscall.FLOCK, fd.number());
    }

    private static boolean tryLock(Fd fd, int how) {
        long result = Kernel.call(Syscall.FLOCK, fd.number(), how | LOCK_NB, 0);
        if (result == -Errno.EAGAIN) {
            return false;
        }
        Kernel.check(result, Syscall.FLOCK, fd.number());
        return true;
    }

    private static void at(Syscall call, byte[] path, int last) {
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.path(call.call(), path);
            long result = Kernel.call(scratch, call, FileCalls.AT_FDCWD, address, last, 0);
            Kernel.check(result, call, Scratch.display(path));
        }
    }
}
