package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * System calls on entries of an open directory, so that no other process can replace the path to it. Names are bytes. Each
 * call may block as long as the file system does: platform threads only. Stateless.
 */
public final class DirectoryCalls {
    /** renameat2(2): fail with EEXIST instead of replacing. */
    public static final int RENAME_NOREPLACE = 1;

    /** renameat2(2): exchange both names. */
    public static final int RENAME_EXCHANGE = 2;

    private static final int AT_SYMLINK_FOLLOW = 0x400;
    private static final long FS_IOC_GETFLAGS = 0x80086601L;
    private static final int FS_CASEFOLD_FL = 0x40000000;
    /** ext2 to ext4, XFS, Btrfs, F2FS, tmpfs, ramfs and overlayfs, see linux/magic.h. */
    private static final Set<Long> CASE_SENSITIVE =
            Set.of(0xef53L, 0x58465342L, 0x9123683eL, 0xf2f52010L, 0x01021994L, 0x858458f6L, 0x794c7630L);

    private static final int AT_REMOVEDIR = 0x200;
    private static final int DIRENT_LENGTH = 16;
    private static final int DIRENT_TYPE = 18;
    private static final int DIRENT_NAME = 19;

    private DirectoryCalls() {}

    /**
     * An entry of a directory.
     *
     * @param name without a slash
     * @param type d_type of getdents64(2); 0 if the file system does not tell
     */
    @SuppressWarnings("ArrayRecordComponent") // a name is bytes, and entries are never compared
    public record Entry(byte[] name, int type) {
        public boolean unknown() {
            return type == 0;
        }

        public boolean directory() {
            return type == 4;
        }

        public boolean regular() {
            return type == 8;
        }

        public boolean symbolicLink() {
            return type == 10;
        }
    }

    /** Returns the next entries of an open directory without the dots, as many as one getdents64(2) gives; empty at the end. */
    public static List<Entry> entries(Fd directory) {
        try (IoBuffer buffer = IoBuffer.take()) {
            // Only a part of the buffer, because nested directories keep one list of entries for each level.
            MemorySegment memory = buffer.memory().asSlice(0, IoBuffer.BYTES / 4);
            ByteBuffer bytes = buffer.bytes();
            List<Entry> entries = new ArrayList<>();
            int filled;
            do {
                filled = FileCalls.directoryEntries(directory.number(), memory);
                for (int at = 0; at < filled; at += bytes.getShort(at + DIRENT_LENGTH)) {
                    byte[] name = name(bytes, at + DIRENT_NAME);
                    if (!isDots(name)) {
                        entries.add(new Entry(name, bytes.get(at + DIRENT_TYPE)));
                    }
                }
            } while (entries.isEmpty() && filled > 0);
            return entries;
        }
    }

    private static byte[] name(ByteBuffer bytes, int at) {
        int length = 0;
        while (bytes.get(at + length) != 0) {
            length++;
        }
        byte[] name = new byte[length];
        bytes.get(at, name);
        return name;
    }

    private static boolean isDots(byte[] name) {
        return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    }

    /** mkdirat(2). */
    public static void makeDirectory(Fd directory, byte[] name, int mode) {
        at(Syscall.MKDIRAT, directory, name, mode);
    }

    /** unlinkat(2) of anything but a directory. */
    public static void removeFile(Fd directory, byte[] name) {
        at(Syscall.UNLINKAT, directory, name, 0);
    }

    /** unlinkat(2) of an empty directory. */
    public static void removeDirectory(Fd directory, byte[] name) {
        at(Syscall.UNLINKAT, directory, name, AT_REMOVEDIR);
    }

    private static void at(Syscall call, Fd directory, byte[] name, int argument) {
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.path(call.call(), name);
            long result = Kernel.call(scratch, call, directory.number(), address, argument, 0);
            Kernel.check(result, call, Scratch.display(name));
        }
    }

    /** renameat2(2). */
    public static void rename(Fd fromDirectory, byte[] from, Fd toDirectory, byte[] to, int flags) {
        try (Scratch scratch = Scratch.take()) {
            long first = scratch.path("renameat2", from);
            long second = scratch.secondPath("renameat2", to);
            long result = Kernel.call(
                    scratch, Syscall.RENAMEAT2, fromDirectory.number(), first, toDirectory.number(), second, flags, 0);
            Kernel.check(result, Syscall.RENAMEAT2, Scratch.display(from));
        }
    }

    /** linkat(2): gives a file that was opened with O_TMPFILE its first name. Needs /proc. */
    public static void nameOpenFile(Fd file, Fd directory, byte[] name) {
        byte[] open = ("/proc/self/fd/" + file.number()).getBytes(StandardCharsets.US_ASCII);
        try (Scratch scratch = Scratch.take()) {
            long first = scratch.path("linkat", open);
            long second = scratch.secondPath("linkat", name);
            long result = Kernel.call(
                    scratch,
                    Syscall.LINKAT,
                    FileCalls.AT_FDCWD,
                    first,
                    directory.number(),
                    second,
                    AT_SYMLINK_FOLLOW,
                    0);
            Kernel.check(result, Syscall.LINKAT, Scratch.display(name));
        }
    }

    /** symlinkat(2). */
    public static void makeLink(byte[] target, Fd directory, byte[] name) {
        try (Scratch scratch = Scratch.take()) {
            long first = scratch.path("symlinkat", target);
            long second = scratch.secondPath("symlinkat", name);
            long result = Kernel.call(scratch, Syscall.SYMLINKAT, first, directory.number(), second, 0);
            Kernel.check(result, Syscall.SYMLINKAT, Scratch.display(name));
        }
    }

    /**
     * readlinkat(2).
     *
     * @param name empty if {@code directory} is itself the link, opened with O_PATH and O_NOFOLLOW
     */
    public static byte[] readLink(Fd directory, byte[] name) {
        return readLink(directory.number(), name);
    }

    /** readlink(2) of an absolute path. */
    public static byte[] readLink(byte[] path) {
        return readLink(FileCalls.AT_FDCWD, path);
    }

    private static byte[] readLink(int directory, byte[] name) {
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.path("readlinkat", name);
            MemorySegment target = scratch.struct();
            long result =
                    Kernel.call(scratch, Syscall.READLINKAT, directory, address, target.address(), target.byteSize());
            Kernel.check(result, Syscall.READLINKAT, Scratch.display(name));
            byte[] bytes = new byte[(int) result];
            scratch.numbers().get(0, bytes);
            return bytes;
        }
    }

    /**
     * Returns true if names in a directory are equal only if all their bytes are. False with FS_CASEFOLD_FL, see chattr(1),
     * and on file systems that are not listed here, which may ignore case.
     *
     * @param directory may be opened with O_PATH
     */
    public static boolean bytesCount(Fd directory) {
        if (!CASE_SENSITIVE.contains(FileCalls.fileSystemType(directory))) {
            return false;
        }
        byte[] here = {'.'};
        try (Fd readable =
                        FileCalls.openat2(directory.number(), here, FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0, 0);
                Scratch scratch = Scratch.take()) {
            MemorySegment flags = scratch.struct();
            long result = Kernel.call(scratch, Syscall.IOCTL, readable.number(), FS_IOC_GETFLAGS, flags.address(), 0);
            return result >= 0 ? (flags.get(JAVA_INT, 0) & FS_CASEFOLD_FL) == 0 : result == -Errno.ENOTTY;
        } catch (LinuxException e) {
            return false; // it may not be read
        }
    }
}
