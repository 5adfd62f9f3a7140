package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * System calls on files and open descriptors. Paths are bytes, as Linux names are. A call that reaches a file system may
 * block as long as a network mount does: platform threads only. Calls on an {@code O_NONBLOCK} descriptor are safe on virtual
 * threads. Stateless.
 */
public final class FileCalls {
    public static final int AT_FDCWD = -100;
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0100;
    public static final int O_EXCL = 0200;
    public static final int O_NOCTTY = 0400;
    public static final int O_APPEND = 02000;
    public static final int O_NONBLOCK = 04000;
    public static final int O_DIRECTORY = Architecture.current() == Architecture.X86_64 ? 0200000 : 040000;
    public static final int O_NOFOLLOW = Architecture.current() == Architecture.X86_64 ? 0400000 : 0100000;
    public static final int O_CLOEXEC = 02000000;
    public static final int O_PATH = 010000000;
    /** A file without a name, see open(2). The path is that of a directory in the file system of the new file. */
    public static final int O_TMPFILE = 020000000 | O_DIRECTORY;

    public static final int F_OK = 0;
    public static final int X_OK = 1;
    public static final int W_OK = 2;

    /** openat2(2): refuse to cross a mount point, bind mounts included. */
    public static final long RESOLVE_NO_XDEV = 0x01;
    /** openat2(2): refuse the links of /proc that lead to open files and whole file systems, whatever their text is. */
    public static final long RESOLVE_NO_MAGICLINKS = 0x02;
    /** openat2(2): refuse every symbolic link, magic links of /proc included. */
    public static final long RESOLVE_NO_SYMLINKS = 0x04;
    /** openat2(2), Linux 5.12: fail with EAGAIN instead of doing I/O or waiting for it. */
    private static final long RESOLVE_CACHED = 0x20;

    /** openat2(2): refuse to leave the starting directory. */
    public static final long RESOLVE_BENEATH = 0x08;

    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int AT_STATX_DONT_SYNC = 0x4000;
    private static final byte[] EMPTY_PATH = new byte[0];
    private static final int AT_EACCESS = 0x200;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int STATX_BTIME = 0x800;
    private static final long STATX_ATTR_MOUNT_ROOT = 0x2000;
    /** Offset of f_flags in struct statfs of 64-bit machines. */
    private static final int STATFS_FLAGS = 80;

    private static final int ST_RDONLY = 1;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int HOW_BYTES = 24;
    private static final long FIONREAD = 0x541B;

    private FileCalls() {}

    /** read(2). Returns the bytes read, 0 at the end, or the negated errno. Callers handle EAGAIN and EIO. */
    public static long read(int fd, MemorySegment buffer) {
        return transfer(Syscall.READ, fd, buffer);
    }

    /** write(2). Returns the bytes written, or the negated errno. The JVM ignores SIGPIPE, so a broken pipe gives EPIPE. */
    public static long write(int fd, MemorySegment buffer) {
        return transfer(Syscall.WRITE, fd, buffer);
    }

    private static long transfer(Syscall call, int fd, MemorySegment buffer) {
        try (Scratch scratch = Scratch.take()) {
            return Kernel.call(scratch, call, fd, buffer.address(), buffer.byteSize(), 0);
        } finally {
            Reference.reachabilityFence(buffer); // the kernel has only its address
        }
    }

    /** Writes one byte of value 1 to a pipe or socket that has room for it. */
    public static void writeByte(int fd) {
        try (Scratch scratch = Scratch.take()) {
            scratch.numbers().put(0, (byte) 1);
            long written =
                    Kernel.call(scratch, Syscall.WRITE, fd, scratch.struct().address(), 1, 0);
            Kernel.check(written, Syscall.WRITE, fd);
        }
    }

    /** close(2). Errors are ignored, because the number is released in any case and no remedy exists. */
    public static void close(int fd) {
        Kernel.call(Syscall.CLOSE, fd);
    }

    /** openat(2) relative to the working directory of the server, always with O_CLOEXEC. */
    public static Fd open(byte[] path, int flags, int mode) {
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.path("openat", path);
            long result = Kernel.call(scratch, Syscall.OPENAT, AT_FDCWD, address, flags | O_CLOEXEC, mode);
            return new Fd((int) check(result, Syscall.OPENAT, path));
        }
    }

    /**
     * openat2(2), always with O_CLOEXEC.
     *
     * @param directory descriptor of the directory where relative paths start, or {@link #AT_FDCWD}
     * @param resolve combination of the RESOLVE flags
     * @throws LinuxException also ENOSYS (Linux older than 5.6); ELOOP and EXDEV if the path breaks a RESOLVE rule
     */
    public static Fd openat2(int directory, byte[] path, int flags, int mode, long resolve) {
        try (Scratch scratch = Scratch.take()) {
            long how = how(scratch, flags | O_CLOEXEC, mode, resolve);
            long address = scratch.path("openat2", path);
            long result = Kernel.call(scratch, Syscall.OPENAT2, directory, address, how, HOW_BYTES);
            return new Fd((int) check(result, Syscall.OPENAT2, path));
        }
    }

    /** Fills a struct open_how and returns its address. */
    private static long how(Scratch scratch, int flags, int mode, long resolve) {
        scratch.numbers().putLong(0, flags).putLong(8, mode).putLong(16, resolve);
        return scratch.struct().address();
    }

    /** statx(2). Follows a symbolic link at the end of the path if {@code followLinks} is true. */
    public static FileStatus status(byte[] path, boolean followLinks) {
        return status(AT_FDCWD, path, followLinks ? 0 : AT_SYMLINK_NOFOLLOW);
    }

    /** statx(2) relative to a directory. Follows a symbolic link at the end of the path if {@code followLinks} is true. */
    public static FileStatus statusAt(Fd directory, byte[] path, boolean followLinks) {
        return status(directory.number(), path, followLinks ? 0 : AT_SYMLINK_NOFOLLOW);
    }

    /** statx(2) of an open file, also one opened with O_PATH. */
    public static FileStatus status(Fd fd) {
        return status(fd.number(), EMPTY_PATH, AT_EMPTY_PATH);
    }

    /** statx(2) as {@link #status(byte[], boolean)} follows links, but asks no server of a network file system. */
    public static FileStatus knownStatus(byte[] path) {
        return status(AT_FDCWD, path, AT_STATX_DONT_SYNC);
    }

    private static FileStatus status(int directory, byte[] path, int flags) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            long address = scratch.path("statx", path);
            int mask = STATX_BASIC_STATS | STATX_BTIME;
            long result = Kernel.call(scratch, Syscall.STATX, directory, address, flags, mask, at.address(), 0);
            check(result, Syscall.STATX, path);
            return readStatx(scratch.numbers());
        }
    }

    /**
     * Returns the status of a path if the kernel has it in memory, without following a link at the end. It never waits for a
     * disk or a network, so a virtual thread may call it. openat2(2) with RESOLVE_CACHED (Linux 5.12) refuses paths that need
     * I/O, and statx(2) with AT_STATX_DONT_SYNC asks no server. That status may be out of date on a file system without a
     * block device, so none is returned there.
     *
     * @param resolve further RESOLVE flags
     * @return empty if the call would have to wait, on an older kernel, or without a block device
     * @throws LinuxException for an error that is certain without waiting, such as ENOENT
     */
    public static Optional<FileStatus> cachedStatus(byte[] path, long resolve) {
        Optional<Fd> opened = cachedOpen(path, O_PATH | O_NOFOLLOW, resolve);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (Fd fd = opened.get()) {
            return cachedStatus(fd);
        }
    }

    /**
     * openat2(2) with RESOLVE_CACHED: opens a file whose path the kernel has in memory. A virtual thread may call it, but
     * only with O_PATH or for a known regular file.
     *
     * @param resolve further RESOLVE flags
     * @return empty if the call would have to wait, or on a kernel before Linux 5.12
     * @throws LinuxException for an error that is certain without waiting, such as ENOENT
     */
    public static Optional<Fd> cachedOpen(byte[] path, int flags, long resolve) {
        try (Scratch scratch = Scratch.take()) {
            // openat2 refuses O_NONBLOCK together with O_PATH
            int all = flags | O_CLOEXEC | ((flags & O_PATH) == 0 ? O_NONBLOCK : 0);
            long how = how(scratch, all, 0, resolve | RESOLVE_CACHED);
            long address = scratch.path("openat2", path);
            long opened = Kernel.call(scratch, Syscall.OPENAT2, AT_FDCWD, address, how, HOW_BYTES);
            return opened == -Errno.EAGAIN || opened == -Errno.EINVAL || opened == -Errno.ENOSYS
                    ? Optional.empty()
                    : Optional.of(new Fd((int) check(opened, Syscall.OPENAT2, path)));
        }
    }

    /**
     * Returns the status as {@link #status(Fd)} does, without asking a server; empty for a file that is not on a block
     * device.
     */
    public static Optional<FileStatus> cachedStatus(Fd fd) {
        FileStatus status = status(fd.number(), EMPTY_PATH, AT_EMPTY_PATH | AT_STATX_DONT_SYNC);
        return status.onBlockDevice() ? Optional.of(status) : Optional.empty();
    }

    /** Returns the type of the file system of an open file, see statfs(2). May ask a server. */
    public static long fileSystemType(Fd fd) {
        try (Scratch scratch = Scratch.take()) {
            long result = Kernel.call(
                    scratch, Syscall.FSTATFS, fd.number(), scratch.struct().address(), 0, 0);
            Kernel.check(result, Syscall.FSTATFS, fd.number());
            return scratch.numbers().getLong(0);
        }
    }

    /** Returns true if nothing can be changed through the mount of an open file, see statfs(2). May ask a server. */
    public static boolean onReadOnlyMount(Fd fd) {
        try (Scratch scratch = Scratch.take()) {
            long result = Kernel.call(
                    scratch, Syscall.FSTATFS, fd.number(), scratch.struct().address(), 0, 0);
            Kernel.check(result, Syscall.FSTATFS, fd.number());
            return (scratch.numbers().getLong(STATFS_FLAGS) & ST_RDONLY) != 0;
        }
    }

    /** Reads a struct statx, which is the same on every machine. */
    private static FileStatus readStatx(ByteBuffer at) {
        boolean born = (at.getInt(0) & STATX_BTIME) != 0;
        return new FileStatus(
                Short.toUnsignedInt(at.getShort(28)),
                at.getLong(40),
                timestampNs(at, 112),
                timestampNs(at, 96),
                born ? OptionalLong.of(timestampNs(at, 80)) : OptionalLong.empty(),
                at.getLong(32),
                ((long) at.getInt(136) << 32) | Integer.toUnsignedLong(at.getInt(140)),
                at.getInt(16),
                at.getInt(20),
                at.getInt(24),
                ((long) at.getInt(128) << 32) | Integer.toUnsignedLong(at.getInt(132)),
                (at.getLong(8) & STATX_ATTR_MOUNT_ROOT) != 0);
    }

    private static long timestampNs(ByteBuffer at, int offset) {
        return at.getLong(offset) * 1_000_000_000L + at.getInt(offset + 8);
    }

    /** readlinkat(2): returns the text of a symbolic link. */
    public static byte[] readLink(byte[] path) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment text = scratch.struct();
            long address = scratch.path("readlinkat", path);
            // No link is longer than PATH_MAX, the size of this memory.
            long length =
                    Kernel.call(scratch, Syscall.READLINKAT, AT_FDCWD, address, text.address(), Scratch.STRUCT_BYTES);
            byte[] bytes = new byte[(int) check(length, Syscall.READLINKAT, path)];
            scratch.numbers().get(0, bytes);
            return bytes;
        }
    }

    /** Checks the rights of the effective user, see faccessat(2). Returns 0 or the errno. */
    public static int access(byte[] path, int mode) {
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.path("faccessat2", path);
            long result = Kernel.call(scratch, Syscall.FACCESSAT2, AT_FDCWD, address, mode, AT_EACCESS);
            if (result == -Errno.ENOSYS) {
                // Before Linux 5.8. It checks the real ids, which differ from the effective ones only in set-user-id
                // programs.
                result = Kernel.call(scratch, Syscall.FACCESSAT, AT_FDCWD, address, mode, 0);
            }
            return (int) -result;
        }
    }

    /** Returns true if the file belongs to the effective user, who may then change its permissions; false if it is gone. */
    public static boolean ownedByUs(byte[] path) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment at = scratch.struct();
            long address = scratch.path("statx", path);
            long result = Kernel.call(scratch, Syscall.STATX, AT_FDCWD, address, 0, STATX_BASIC_STATS, at.address(), 0);
            return result >= 0 && at.get(JAVA_INT, 20) == Kernel.call(Syscall.GETEUID, 0);
        }
    }

    /** geteuid(2). */
    public static int effectiveUser() {
        return (int) Kernel.call(Syscall.GETEUID, 0);
    }

    /** Returns 0 if execve(2) would accept the file by type and permissions, else the errno that it would give. */
    public static int executable(byte[] path) {
        FileStatus status;
        try {
            status = status(path, true);
        } catch (LinuxException e) {
            return e.errno();
        }
        return status.regular() ? access(path, X_OK) : Errno.EACCES;
    }

    /** FIONREAD of ioctl(2): returns the bytes that can be read now from a pipe or terminal. */
    public static int available(int fd) {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment count = scratch.struct();
            long result = Kernel.call(scratch, Syscall.IOCTL, fd, FIONREAD, count.address(), 0);
            Kernel.check(result, Syscall.IOCTL, fd);
            return count.get(JAVA_INT, 0);
        }
    }

    /** Sets O_NONBLOCK on the open file description, which affects every process that shares it. */
    public static void makeNonBlocking(int fd) {
        long flags = Kernel.check(Kernel.call(Syscall.FCNTL, fd, F_GETFL, 0), Syscall.FCNTL, fd);
        Kernel.check(Kernel.call(Syscall.FCNTL, fd, F_SETFL, flags | O_NONBLOCK), Syscall.FCNTL, fd);
    }

    /** Makes a second descriptor for the same file, closed on exec. It gets the lowest free number not below {@code lowest}. */
    public static Fd duplicate(int fd, int lowest) {
        long copy = Kernel.call(Syscall.FCNTL, fd, F_DUPFD_CLOEXEC, lowest);
        return new Fd((int) Kernel.check(copy, Syscall.FCNTL, fd));
    }

    /** getdents64(2) into the buffer. Returns the bytes filled, 0 at the end. */
    static int directoryEntries(int fd, MemorySegment buffer) {
        long result = Kernel.call(Syscall.GETDENTS64, fd, buffer.address(), buffer.byteSize());
        return (int) Kernel.check(result, Syscall.GETDENTS64, fd);
    }

    private static long check(long result, Syscall call, byte[] path) {
        if (result < 0) {
            throw new LinuxException(call.call(), Scratch.display(path), (int) -result);
        }
        return result;
    }
}
