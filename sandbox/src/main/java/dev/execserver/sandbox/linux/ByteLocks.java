package dev.execserver.sandbox.linux;

import java.nio.ByteBuffer;

/**
 * Locks on single bytes of a file, which need not be that long; see F_OFD_SETLK of fcntl_locking(2). They belong to the open
 * file description. The kernel drops them with its last descriptor, even if the process is killed. No call blocks. Stateless;
 * any thread.
 */
public final class ByteLocks {
    private static final int F_OFD_GETLK = 36;
    private static final int F_OFD_SETLK = 37;
    private static final short F_RDLCK = 0;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;

    private ByteLocks() {}

    /** Takes a shared lock; others may hold one on the same byte. */
    public static void share(Fd file, long at) {
        set(file, at, F_RDLCK);
    }

    /** Releases the lock. */
    public static void release(Fd file, long at) {
        set(file, at, F_UNLCK);
    }

    /** Returns true if another open file description has a lock on the byte. */
    public static boolean held(Fd file, long at) {
        try (Scratch scratch = Scratch.take()) {
            return call(scratch, file, F_OFD_GETLK, at, F_WRLCK).getShort(0) != F_UNLCK;
        }
    }

    private static void set(Fd file, long at, short type) {
        try (Scratch scratch = Scratch.take()) {
            call(scratch, file, F_OFD_SETLK, at, type);
        }
    }

    /** Calls fcntl(2) with a struct flock: type, whence, start, length, pid, which must be 0. */
    private static ByteBuffer call(Scratch scratch, Fd file, int command, long at, short type) {
        ByteBuffer flock = scratch.numbers();
        flock.putLong(0, 0).putLong(8, at).putLong(16, 1).putLong(24, 0);
        flock.putShort(0, type);
        long result = Kernel.call(
                scratch, Syscall.FCNTL, file.number(), command, scratch.struct().address(), 0);
        Kernel.check(result, Syscall.FCNTL, file.number());
        return flock;
    }
}
