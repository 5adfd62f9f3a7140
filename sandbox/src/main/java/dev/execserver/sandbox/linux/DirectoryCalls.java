package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Reading directories with getdents64(2). Blocks as long as the file system likes: platform threads only. Stateless. */
public final class DirectoryCalls {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int LENGTH = 16;
    private static final int TYPE = 18;
    private static final int NAME = 19;

    private DirectoryCalls() {}

    /** What the directory says of an entry without looking at it. */
    public enum Type {
        DIRECTORY,
        REGULAR,
        SYMLINK,
        OTHER,
        /** The file system does not keep types in directories. */
        UNKNOWN;

        /** The DT constants of readdir(3). */
        private static Type of(int value) {
            return switch (value) {
                case 0 -> UNKNOWN;
                case 4 -> DIRECTORY;
                case 8 -> REGULAR;
                case 10 -> SYMLINK;
                default -> OTHER;
            };
        }
    }

    /** One entry; {@code .} and {@code ..} are left out. */
    @SuppressWarnings("ArrayRecordComponent") // names are bytes; entries are never compared
    public record Entry(byte[] name, Type type) {}

    /**
     * All entries in the order of the file system.
     *
     * @throws LinuxException also ELOOP or ENOTDIR when the path is a symbolic link
     */
    public static List<Entry> list(byte[] path) {
        int flags = FileCalls.O_RDONLY | FileCalls.O_DIRECTORY | FileCalls.O_NOFOLLOW;
        List<Entry> entries = new ArrayList<>();
        try (Fd directory = FileCalls.open(path, flags, 0);
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER_BYTES, 8);
            int filled;
            while ((filled = FileCalls.directoryEntries(directory.number(), buffer)) > 0) {
                for (int at = 0; at < filled; at += buffer.get(JAVA_SHORT_UNALIGNED, at + LENGTH)) {
                    byte[] name = name(buffer, at + NAME);
                    if (!isDots(name)) {
                        entries.add(new Entry(name, Type.of(buffer.get(JAVA_BYTE, at + TYPE))));
                    }
                }
            }
        }
        return entries;
    }

    private static byte[] name(MemorySegment buffer, long at) {
        long end = at;
        while (buffer.get(JAVA_BYTE, end) != 0) {
            end++;
        }
        return buffer.asSlice(at, end - at).toArray(JAVA_BYTE);
    }

    private static boolean isDots(byte[] name) {
        return name[0] == '.' && (name.length == 1 || name.length == 2 && name[1] == '.');
    }
}
