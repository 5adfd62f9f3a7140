package dev.execserver.sandbox.linux;

import java.nio.charset.StandardCharsets;

/**
 * Creates, removes and names single entries by path, and locks files. Calls that reach a file system may block: platform
 * threads only. Stateless.
 */
public final class EntryCalls {
    private static final int O_CREAT = 0100;
    private static final int O_EXCL = 0200;
    private static final int LOCK_SH = 1;
    private static final int LOCK_EX = 2;
    private static final int LOCK_NB = 4;
    private static final int LOCK_UN = 8;

    private EntryCalls() {}

    /** Returns the path without symbolic links, as the kernel names the file at its end. */
    public static byte[] realPath(byte[] path) {
        try (Fd file = FileCalls.open(path, FileCalls.O_PATH, 0)) {
            return nameOf(file);
        }
    }

    /**
     * Returns the present path of an open file, see proc_pid_fd(5), also after a move. A deleted file has {@code (deleted)}
     * behind its path. A file that cannot be reached has no slash at the start. Never blocks.
     */
    public static byte[] nameOf(Fd file) {
        return FileCalls.readLink(("/proc/self/fd/" + file.number()).getBytes(StandardCharsets.US_ASCII));
    }

    /** mkdirat(2). */
    public static void makeDirectory(byte[] path, int mode) {
        at(Syscall.MKDIRAT, path, mode);
    }

    /** Creates an empty file with exactly these permission bits, regardless of the umask; EEXIST if something is there. */
    public static void makeFile(byte[] path, int mode) {
        try (Fd file = FileCalls.open(path, FileCalls.O_WRONLY | O_CREAT | O_EXCL, mode)) {
            Kernel.check(Kernel.call(Syscall.FCHMOD, file.number(), mode, 0), Syscall.FCHMOD, Scratch.display(path));
        }
    }

    /** unlinkat(2) of anything but a directory. */
    public static void removeFile(byte[] path) {
        at(Syscall.UNLINKAT, path, 0);
    }

    /** Takes a shared lock of flock(2); false if another open file holds an exclusive one. */
    public static boolean tryLockShared(Fd fd) {
        return tryLock(fd, LOCK_SH);
    }

    /** Takes an exclusive lock of flock(2); false if another open file holds a lock. */
    public static boolean tryLockExclusive(Fd fd) {
        return tryLock(fd, LOCK_EX);
    }

    /** Releases a lock of flock(2); does nothing if there is none. */
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
