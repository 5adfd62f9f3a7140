package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * System calls on the content and attributes of open regular files. Each may block as long as the file system does: platform
 * threads only. Stateless.
 */
public final class ContentCalls {
    /** ioctl_ficlone(2). */
    private static final long FICLONE = 0x40049409;

    private static final int RWF_NOWAIT = 8;
    private static final int SYNC_FILE_RANGE_WRITE = 2;
    private static final int SEEK_SET = 0;
    private static final int SEEK_CUR = 1;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int LOCK_EX = 2;
    private static final int LOCK_NB = 4;

    private ContentCalls() {}

    /**
     * pread(2) until the range is full or the file ends.
     *
     * @param position bytes from the start of the file
     * @return bytes read; fewer than {@code length} only at the end of the file
     */
    public static int read(Fd fd, byte[] to, int offset, int length, long position) {
        Objects.checkFromIndexSize(offset, length, to.length);
        try (IoBuffer buffer = IoBuffer.take()) {
            int done = 0;
            while (done < length) {
                int step = Math.min(IoBuffer.BYTES, length - done);
                long count = Kernel.call(
                        Syscall.PREAD64, fd.number(), buffer.memory().address(), step, position + done);
                Kernel.check(count, Syscall.PREAD64, fd.number());
                if (count == 0) {
                    break;
                }
                buffer.bytes().get(0, to, offset + done, (int) count);
                done += (int) count;
            }
            return done;
        }
    }

    /**
     * preadv2(2) with RWF_NOWAIT from the start of the file. It reads only from the page cache, so a virtual thread may call
     * it.
     *
     * @return bytes read, perhaps fewer than there are, or the negated errno
     */
    public static int readCached(Fd fd, byte[] to) {
        try (IoBuffer buffer = IoBuffer.take();
                Scratch scratch = Scratch.take()) {
            long vector = scratch.struct().address();
            scratch.numbers().putLong(0, buffer.memory().address());
            scratch.numbers().putLong(8, Math.min(to.length, IoBuffer.BYTES));
            long count = Kernel.call(scratch, Syscall.PREADV2, fd.number(), vector, 1, 0, 0, RWF_NOWAIT);
            if (count > 0) {
                buffer.bytes().get(0, to, 0, (int) count);
            }
            return (int) count;
        }
    }

    /** pwrite(2) until everything is written. */
    public static void write(Fd fd, byte[] from, int offset, int length, long position) {
        Objects.checkFromIndexSize(offset, length, from.length);
        try (IoBuffer buffer = IoBuffer.take()) {
            int done = 0;
            while (done < length) {
                int step = Math.min(IoBuffer.BYTES, length - done);
                buffer.bytes().put(0, from, offset + done, step);
                long count = Kernel.call(
                        Syscall.PWRITE64, fd.number(), buffer.memory().address(), step, position + done);
                done += (int) Kernel.check(count, Syscall.PWRITE64, fd.number());
            }
        }
    }

    /** write(2) until everything is written: at the file position, or at the end with O_APPEND. */
    public static void append(Fd fd, byte[] from, int offset, int length) {
        int done = 0;
        while (done < length) {
            done += appendSome(fd, from, offset + done, length - done);
        }
    }

    /** One write(2) at the place of {@link #append}. Returns the number of bytes written. */
    public static int appendSome(Fd fd, byte[] from, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, from.length);
        try (IoBuffer buffer = IoBuffer.take()) {
            int step = Math.min(IoBuffer.BYTES, length);
            buffer.bytes().put(0, from, offset, step);
            long count = FileCalls.write(fd.number(), buffer.memory().asSlice(0, step));
            if (count < 0) {
                throw new LinuxException("write", fd.toString(), (int) -count);
            }
            return (int) count;
        }
    }

    /** Returns the position of the next {@link #append}, in bytes from the start: lseek(2). */
    public static long position(Fd fd) {
        return Kernel.check(Kernel.call(Syscall.LSEEK, fd.number(), 0, SEEK_CUR), Syscall.LSEEK, fd.number());
    }

    /** ftruncate(2). */
    public static void truncate(Fd fd, long length) {
        Kernel.check(Kernel.call(Syscall.FTRUNCATE, fd.number(), length, 0), Syscall.FTRUNCATE, fd.number());
    }

    /** fsync(2). */
    public static void sync(Fd fd) {
        Kernel.check(Kernel.call(Syscall.FSYNC, fd.number()), Syscall.FSYNC, fd.number());
    }

    /**
     * Makes the kernel begin to write a range to the disk, so that a later {@link #sync} takes less time. A hint: errors are
     * ignored. See sync_file_range(2).
     */
    public static void startSync(Fd fd, long position, long length) {
        long _ = Kernel.call(Syscall.SYNC_FILE_RANGE, fd.number(), position, length, SYNC_FILE_RANGE_WRITE);
    }

    /** fchmod(2). */
    public static void changeMode(Fd fd, int permissions) {
        Kernel.check(Kernel.call(Syscall.FCHMOD, fd.number(), permissions, 0), Syscall.FCHMOD, fd.number());
    }

    /** fchown(2). */
    public static void changeOwner(Fd fd, int user, int group) {
        Kernel.check(Kernel.call(Syscall.FCHOWN, fd.number(), user, group), Syscall.FCHOWN, fd.number());
    }

    /** Returns the position of the next data at or behind {@code from}, see lseek(2); empty if there is none up to the end. */
    public static OptionalLong nextData(Fd fd, long from) {
        long found = Kernel.call(Syscall.LSEEK, fd.number(), from, SEEK_DATA);
        return found == -Errno.ENXIO
                ? OptionalLong.empty()
                : OptionalLong.of(Kernel.check(found, Syscall.LSEEK, fd.number()));
    }

    /** Returns the position of the next hole at or behind {@code from}; the end of the file counts as one. */
    public static long nextHole(Fd fd, long from) {
        return Kernel.check(Kernel.call(Syscall.LSEEK, fd.number(), from, SEEK_HOLE), Syscall.LSEEK, fd.number());
    }

    /** Sets the file position to the start, so that a directory is read again. */
    public static void rewind(Fd fd) {
        Kernel.check(Kernel.call(Syscall.LSEEK, fd.number(), 0, SEEK_SET), Syscall.LSEEK, fd.number());
    }

    /** Makes {@code to} share all blocks of {@code from}; false if the file systems cannot. */
    public static boolean cloneFile(Fd from, Fd to) {
        return Kernel.call(Syscall.IOCTL, to.number(), FICLONE, from.number()) == 0;
    }

    /**
     * One copy_file_range(2).
     *
     * @return bytes copied, 0 at the end of the source, or the negated errno, after which the caller copies in another way
     */
    public static long copyRange(Fd from, long fromPosition, Fd to, long toPosition, long length) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment positions = scratch.struct();
            positions.set(JAVA_LONG, 0, fromPosition);
            positions.set(JAVA_LONG, 8, toPosition);
            long address = positions.address();
            return Kernel.call(
                    scratch, Syscall.COPY_FILE_RANGE, from.number(), address, to.number(), address + 8, length, 0);
        }
    }

    /** flock(2), exclusive; false if another open file holds the lock. It ends with the descriptor. */
    public static boolean tryLock(Fd fd) {
        long result = Kernel.call(Syscall.FLOCK, fd.number(), LOCK_EX | LOCK_NB, 0);
        if (result == -Errno.EAGAIN) {
            return false;
        }
        Kernel.check(result, Syscall.FLOCK, fd.number());
        return true;
    }
}
