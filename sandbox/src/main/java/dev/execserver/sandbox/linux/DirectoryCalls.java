package dev.execserver.sandbox.linux;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * System calls that name an entry below an open directory, so that nobody can swap the way to it. Names are bytes. All of
 * them may block for as long as the file system likes: platform threads only. Stateless.
 */
public final class DirectoryCalls {
    /** renameat2(2): fail with EEXIST instead of replacing. */
    public static final int RENAME_NOREPLACE = 1;

    /** renameat2(2): let both names change places. */
    public static final int RENAME_EXCHANGE = 2;

    private static final int AT_SYMLINK_FOLLOW = 0x400;
    private static final int AT_REMOVEDIR = 0x200;
    private static final int DIRENT_LENGTH = 16;
    private static final int DIRENT_TYPE = 18;
    private static final int DIRENT_NAME = 19;

    private DirectoryCalls() {}

    /**
     * An entry of a directory.
     *
     * @param name without a slash
     * @param type d_type of getdents64(2); 0 where the file system does not say
     */
    @SuppressWarnings("ArrayRecordComponent") // a name is bytes, and nobody compares entries
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

    /** The next entries of an open directory, dots left out, as many as one getdents64(2) gives; empty at the end. */
    public static List<Entry> entries(Fd directory) {
        try (IoBuffer buffer = IoBuffer.take()) {
            // A smaller buffer than there is: with nested directories one list of entries is kept for each level.
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
     * @param name empty for the link that {@code directory} itself is, opened with O_PATH and O_NOFOLLOW
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
}
