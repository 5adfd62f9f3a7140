package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * File events, see inotify(7). {@link #read} never blocks; {@link #add} may, for as long as the file system likes.
 * Stateless.
 */
public final class InotifyCalls {
    public static final int IN_MODIFY = 0x002;
    public static final int IN_ATTRIB = 0x004;
    public static final int IN_CLOSE_WRITE = 0x008;
    public static final int IN_MOVED_FROM = 0x040;
    public static final int IN_MOVED_TO = 0x080;
    public static final int IN_CREATE = 0x100;
    public static final int IN_DELETE = 0x200;
    public static final int IN_DELETE_SELF = 0x400;
    public static final int IN_MOVE_SELF = 0x800;
    /** Reported whether asked for or not: the file system was unmounted. */
    public static final int IN_UNMOUNT = 0x2000;
    /** Reported with the watch -1: events were lost. */
    public static final int IN_Q_OVERFLOW = 0x4000;
    /** Reported when the watch is gone. */
    public static final int IN_IGNORED = 0x8000;

    public static final int IN_ISDIR = 0x40000000;

    private static final int IN_MASK_ADD = 0x20000000;
    private static final int HEADER_BYTES = 16;

    private InotifyCalls() {}

    /**
     * One event.
     *
     * @param watch what {@link #add} returned, -1 for an overflow
     * @param mask what happened
     * @param name of the entry in a watched directory; empty for the watched file itself
     */
    @SuppressWarnings("ArrayRecordComponent") // a name is bytes, and nobody compares events
    public record Event(int watch, int mask, byte[] name) {}

    /** A new instance, non-blocking and closed on exec. */
    public static Fd create() {
        long fd = Kernel.call(Syscall.INOTIFY_INIT1, FileCalls.O_CLOEXEC | FileCalls.O_NONBLOCK);
        return new Fd((int) Kernel.check(fd, Syscall.INOTIFY_INIT1, ""));
    }

    /**
     * Watches the very file that the descriptor names, whatever its path leads to by now. A file that is watched already
     * keeps its number and what was asked before.
     *
     * @param target may be O_PATH
     * @throws LinuxException ENOSPC when the user has too many watches, see /proc/sys/fs/inotify/max_user_watches
     */
    public static int add(Fd inotify, Fd target, int mask) {
        byte[] path = ("/proc/self/fd/" + target.number()).getBytes(StandardCharsets.US_ASCII);
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.path("inotify_add_watch", path);
            long watch =
                    Kernel.call(scratch, Syscall.INOTIFY_ADD_WATCH, inotify.number(), address, mask | IN_MASK_ADD, 0);
            return (int) Kernel.check(watch, Syscall.INOTIFY_ADD_WATCH, target.number());
        }
    }

    /** Ends a watch; one that has ended by itself is no error. Does not block. */
    public static void remove(Fd inotify, int watch) {
        Kernel.call(Syscall.INOTIFY_RM_WATCH, inotify.number(), watch, 0);
    }

    /** The events that are there now, as many as one read(2) gives; empty when there are none. */
    public static List<Event> read(Fd inotify) {
        try (IoBuffer buffer = IoBuffer.take()) {
            MemorySegment memory = buffer.memory();
            long filled = FileCalls.read(inotify.number(), memory);
            if (filled < 0 && filled != -Errno.EAGAIN) {
                throw new LinuxException("read", inotify.toString(), (int) -filled);
            }
            List<Event> events = new ArrayList<>();
            for (long at = 0; at < filled; at += HEADER_BYTES + memory.get(JAVA_INT, at + 12)) {
                byte[] name = name(memory, at + HEADER_BYTES, memory.get(JAVA_INT, at + 12));
                events.add(new Event(memory.get(JAVA_INT, at), memory.get(JAVA_INT, at + 4), name));
            }
            return events;
        }
    }

    /** Padded with NUL bytes. */
    private static byte[] name(MemorySegment memory, long at, int padded) {
        int length = 0;
        while (length < padded && memory.get(JAVA_BYTE, at + length) != 0) {
            length++;
        }
        byte[] name = new byte[length];
        MemorySegment.copy(memory, JAVA_BYTE, at, name, 0, length);
        return name;
    }
}
