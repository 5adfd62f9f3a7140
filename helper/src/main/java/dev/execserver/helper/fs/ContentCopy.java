package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LongWork;

/**
 * Copies the content of one open file into another, empty one: shared blocks where the file system can (ioctl_ficlone(2)),
 * else copied inside the kernel (copy_file_range(2)), else through our hands. Holes stay holes. A file that somebody makes
 * longer meanwhile is copied as far as it went when it was opened, so that every copy ends. Stateless.
 */
final class ContentCopy {

    private static final int STEP = 128 * 1024;

    /** One call of copy_file_range; a signal must not wait for gigabytes. */
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
            ContentCalls.truncate(to.fd(), size); // ends in a hole
        }
    }

    /** Files of /proc say that they are empty, always, and know no holes. */
    private static void copyUnsized(RegularFile from, RegularFile to) {
        long done = 0;
        long end;
        do {
            end = done + STEP;
            done = copyPlain(from, to, done, end);
            if (from.grown()) {
                ContentCalls.truncate(to.fd(), 0); // it was empty in truth
                return;
            }
            checkEnds(from, to, done);
        } while (done == end);
    }

    /** Half a gigabyte of a file that has no end is of no use to anybody, and takes room. */
    private static void checkEnds(RegularFile from, RegularFile to, long done) {
        try {
            from.checkUnsized(done);
        } catch (RpcException e) {
            ContentCalls.truncate(to.fd(), 0);
            throw e;
        }
    }

    /** Returns where the last data ended. */
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

    /** The end of all numbers for none. Where a file system knows no holes all is data. */
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

    /** Returns how far it came: to {@code end}, or to the end of the file. */
    private static long copyRange(RegularFile from, RegularFile to, long start, long end) {
        long at = start;
        while (at < end) {
            LongWork.step();
            long count = ContentCalls.copyRange(from.fd(), at, to.fd(), at, Math.min(RANGE, end - at));
            boolean failed = count == -Errno.ENOSPC || count == -Errno.EDQUOT || count == -Errno.EIO;
            if (count < 0 && !failed) {
                return copyPlain(from, to, at, end); // EXDEV, EINVAL, EOPNOTSUPP, ENOSYS: not between these two
            }
            if (failed) {
                throw new LinuxException("copy_file_range", to.fd().toString(), (int) -count);
            }
            if (count == 0) {
                return copyPlain(from, to, at, end); // the end, or a file system that copies nothing and says so
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
