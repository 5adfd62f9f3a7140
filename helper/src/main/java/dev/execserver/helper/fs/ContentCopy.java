package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LongWork;

/**
 * Copies the content of one open file into another, empty one. Stateless.
 *
 * <p>Shares blocks if the file system can do that (ioctl_ficlone(2)), otherwise copies inside the kernel
 * (copy_file_range(2)), otherwise through a buffer of this process. Holes stay holes. When another program makes the
 * file longer meanwhile, only the size at its opening is copied, so that every copy ends.
 */
final class ContentCopy {

    private static final int STEP = 128 * 1024;

    /**
     * Bytes of one call of copy_file_range(2). The copy must end soon after a signal or an abandoned request, not after
     * gigabytes.
     */
    private static final long RANGE = 64L << 20;

    private ContentCopy() {}

    static void copy(RegularFile from, RegularFile to) {
        if (ContentCalls.cloneFile(from.fd(), to.fd())) {
            return;
        }
        if (from.size() == 0) {
            copyUnsized(from, to);
            return;
        }
        long end = copyData(from, to);
        long size = Math.min(from.size(), from.currentStatus().size());
        if (size > end) {
            ContentCalls.truncate(to.fd(), size); // the file ends in a hole
        }
    }

    /** Copies a file that reports size 0. Files of /proc always do, and they support no holes. */
    private static void copyUnsized(RegularFile from, RegularFile to) {
        long done = 0;
        long end;
        do {
            end = done + STEP;
            done = copyPlain(from, to, done, end);
            if (from.grown()) {
                ContentCalls.truncate(to.fd(), 0); // it really was empty when it was opened
                return;
            }
            checkEnds(from, to, done);
        } while (done == end);
    }

    /**
     * Throws if an endless file was read too far. Empties the copy first, because half a gigabyte of it would only
     * waste space.
     */
    private static void checkEnds(RegularFile from, RegularFile to, long done) {
        try {
            from.checkUnsized(done);
        } catch (RpcException e) {
            ContentCalls.truncate(to.fd(), 0);
            throw e;
        }
    }

    /** Returns the position after the last data. */
    private static long copyData(RegularFile from, RegularFile to) {
        long end = 0;
        for (long start = nextData(from, 0); start < from.size(); start = nextData(from, end)) {
            long hole = Math.min(nextHole(from, start), from.size());
            long copied = copyRange(from, to, start, hole);
            if (copied < hole) {
                return copied; // the file has shrunk
            }
            end = hole;
        }
        return end;
    }

    /**
     * Returns the start of the next data, or {@code Long.MAX_VALUE} if there is none. Without support for holes
     * everything is data.
     */
    private static long nextData(RegularFile from, long position) {
        try {
            return ContentCalls.nextData(from.fd(), position).orElse(Long.MAX_VALUE);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            return position == 0 ? 0 : Long.MAX_VALUE;
        }
    }

    private static long nextHole(RegularFile from, long position) {
        try {
            return ContentCalls.nextHole(from.fd(), position);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EINVAL && e.errno() != Errno.ENXIO) {
                throw e;
            }
            return from.currentStatus().size();
        }
    }

    /** Returns the position that it reached: {@code end}, or the end of the file. */
    private static long copyRange(RegularFile from, RegularFile to, long start, long end) {
        long at = start;
        while (at < end) {
            LongWork.step();
            long count = ContentCalls.copyRange(from.fd(), at, to.fd(), at, Math.min(RANGE, end - at));
            boolean failed = count == -Errno.ENOSPC || count == -Errno.EDQUOT || count == -Errno.EIO;
            if (count < 0 && !failed) {
                return copyPlain(from, to, at, end); // EXDEV, EINVAL, EOPNOTSUPP, ENOSYS: not between these
            }
            if (failed) {
                throw new LinuxException("copy_file_range", to.fd().toString(), (int) -count);
            }
            if (count == 0) {
                return copyPlain(from, to, at, end); // the end, or a file system that copies nothing
            }
            at += count;
        }
        return at;
    }

    private static long copyPlain(RegularFile from, RegularFile to, long start, long end) {
        byte[] step = new byte[STEP];
        long at = start;
        while (at < end) {
            LongWork.step();
            int wanted = (int) Math.min(STEP, end - at);
            int count = ContentCalls.read(from.fd(), step, 0, wanted, at);
            ContentCalls.write(to.fd(), step, 0, count, at);
            at += count;
            if (count < wanted) {
                break;
            }
        }
        return at;
    }
}
