package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * File events, see inotify(7). {@link #read} never blocks; {@link #add} may block as long as the file system does. Stateless.
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
    /** Always reported: the file system was unmounted. */
    public static final int IN_UNMOUNT = 0x2000;
    /** Always reported, with the watch -1: events were lost. */
    public static final int IN_Q_OVERFLOW = 0x4000;
    /** Always reported: the watch is gone. */
    public static final int IN_IGNORED = 0x8000;

    public static final int IN_ISDIR = 0x40000000;

    private static final int IN_MASK_ADD = 0x20000000;
    private static final int HEADER_BYTES = 16;

    private InotifyCalls() {}

    /**
     * One event.
     *
     * @param watch result of {@link #add}, -1 for an overflow
     * @param mask kind of the event
     * @param name name of the entry in a watched directory; empty for the watched file itself
     */
    @SuppressWarnings("ArrayRecordComponent") // a name is bytes, and events are never compared
    public record Event(int watch, int mask, byte[] name) {}

    /** Makes an instance, non-blocking and closed on exec. */
    public static Fd create() {
        long fd = Kernel.call(Syscall.INOTIFY_INIT1, FileCalls.O_CLOEXEC | FileCalls.O_NONBLOCK);
        return new Fd((int) Kernel.check(fd, Syscall.INOTIFY_INIT1, ""));
    }

    /**
     * Watches the file of the descriptor, even if its path leads elsewhere by now. If the file is watched already, the number
     * stays the same and the new events are added.
     *
     * @param target may be O_PATH
     * @throws LinuxException ENOSPC if the user has too many watches, see /proc/sys/fs/inotify/max_user_watches
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

    /** Ends a watch. It is no error if the watch has ended by itself. Does not block. */
    public static void remove(Fd inotify, int watch) {
        Kernel.call(Syscall.INOTIFY_RM_WATCH, inotify.number(), watch, 0);
    }

    /** Returns the present events, as many as one read(2) gives; empty if there are none. */
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

    /** Returns the name without the NUL bytes behind it. */
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
