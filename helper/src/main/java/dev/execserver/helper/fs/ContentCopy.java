package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.OptionalLong;

/**
 * Copies the content of one open file into another, empty one: shared blocks where the file system can (ioctl_ficlone(2)),
 * else copied inside the kernel (copy_file_range(2)), else through our hands. Holes stay holes. Stateless.
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
        // Files of /proc say that they are empty and know no holes.
        long size = from.status().size() == 0 ? copyPlain(from, to, 0, Long.MAX_VALUE) : copyData(from, to);
        long now = from.currentStatus().size();
        if (now > size) {
            ContentCalls.truncate(to.fd(), now); // ends in a hole
        }
    }

    /** Returns where the last data ended. */
    private static long copyData(RegularFile from, RegularFile to) {
        long end = 0;
        for (OptionalLong data = nextData(from, 0); data.isPresent(); data = nextData(from, end)) {
            long start = data.getAsLong();
            long hole = nextHole(from, start);
            long copied = copyRange(from, to, start, hole);
            if (copied < hole) {
                return copied; // the file has shrunk
            }
            end = hole;
        }
        return end;
    }

    /** Where a file system knows no holes all is data. */
    private static OptionalLong nextData(RegularFile from, long position) {
        try {
            return ContentCalls.nextData(from.fd(), position);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            return position == 0 ? OptionalLong.of(0) : OptionalLong.empty();
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
            long count = ContentCalls.copyRange(from.fd(), at, to.fd(), at, Math.min(RANGE, end - at));
            if (count < 0 && count != -Errno.ENOSPC && count != -Errno.EIO) {
                return copyPlain(from, to, at, end); // EXDEV, EINVAL, EOPNOTSUPP, ENOSYS: not between these two
            }
            if (count < 0) {
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
