package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Facts about processes from proc(5), read with little work, because a scan reads them for each process of the machine. Reads
 * of /proc do not wait for disks or networks, but they occupy the thread: platform threads for scans. Stateless.
 */
public final class ProcFiles {
    private static final byte[] PROC = "/proc".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OWN_DESCRIPTORS = "/proc/self/fd".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REALTIME = "Max realtime timeout".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OPEN_FILES = "Max open files".getBytes(StandardCharsets.US_ASCII);
    private static final int ONE_LOOK_BYTES = 16 * 1024;
    private static final boolean CHILDREN_TOLD = childrenTold();
    private static final int DIRENT_NAME = 19;
    private static final int DIRENT_LENGTH = 16;

    private ProcFiles() {}

    /**
     * Fields of /proc/PID/stat.
     *
     * @param state R, S, D, T, Z (zombie), X (dead), I (idle kernel thread) ...
     * @param terminal device number of the controlling terminal, 0 without one
     * @param threads number of threads; 0 or 1 in a process that only waits to be reaped
     * @param startTicks start time since boot in clock ticks: with the pid it identifies a process
     */
    public record Stat(char state, int parent, int group, int session, int terminal, int threads, long startTicks) {
        /** Returns true if a signal has stopped the process, until SIGCONT comes. */
        public boolean stopped() {
            return state == 'T';
        }

        /**
         * Returns true if the process has ended and its parent has not reaped it yet. A process whose first thread has ended
         * while others run is shown as a zombie too, but has more than one thread.
         */
        public boolean dead() {
            return (state == 'Z' || state == 'X') && threads <= 1;
        }
    }

    /**
     * The signals of the first thread, from /proc/PID/status: bit N - 1 stands for signal N.
     *
     * @param blocked mask of the thread
     * @param ignored by the process
     */
    public record Signals(long blocked, long ignored) {
        public boolean blocks(int signal) {
            return (blocked & 1L << (signal - 1)) != 0;
        }

        public boolean ignores(int signal) {
            return (ignored & 1L << (signal - 1)) != 0;
        }
    }

    /**
     * Returns true if the process has no child, not even an unreaped one, or is gone itself. False if the kernel does not
     * tell (CONFIG_PROC_CHILDREN). A list can lack some of many children that end meanwhile, but an empty list is certain,
     * see proc_pid_task_children(5).
     */
    public static boolean childless(int pid) {
        return CHILDREN_TOLD && read("/proc/" + pid + "/task/" + pid + "/children").length == 0;
    }

    /** Returns the oldest child; empty if there is none, or if the kernel does not tell (CONFIG_PROC_CHILDREN). */
    public static Optional<Integer> firstChild(int pid) {
        if (!CHILDREN_TOLD) {
            return Optional.empty();
        }
        String children =
                new String(read("/proc/" + pid + "/task/" + pid + "/children"), StandardCharsets.US_ASCII).strip();
        return children.isEmpty() ? Optional.empty() : Optional.of(Integer.valueOf(children.split(" ", 2)[0]));
    }

    private static boolean childrenTold() {
        try (Fd _ = FileCalls.open(
                "/proc/thread-self/children".getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY, 0)) {
            return true;
        } catch (LinuxException e) {
            return false;
        }
    }

    /** Returns the signals of a process; empty if it is gone. */
    public static Optional<Signals> signals(int pid) {
        long blocked = 0;
        long ignored = 0;
        String text = new String(read("/proc/" + pid + "/status"), StandardCharsets.ISO_8859_1);
        for (String line : text.split("\n")) {
            if (line.startsWith("SigBlk:")) {
                blocked = Long.parseUnsignedLong(line.substring(7).strip(), 16);
            } else if (line.startsWith("SigIgn:")) {
                ignored = Long.parseUnsignedLong(line.substring(7).strip(), 16);
            }
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(new Signals(blocked, ignored));
    }

    /** Returns the pids of all processes at about this moment, in ascending order. The buffer is native, 4 KiB or more. */
    public static int[] pids(MemorySegment buffer) {
        int[] pids = new int[512];
        int count = 0;
        try (Fd directory = FileCalls.open(PROC, FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0)) {
            int filled;
            while ((filled = FileCalls.directoryEntries(directory.number(), buffer)) > 0) {
                for (int at = 0; at < filled; at += buffer.get(JAVA_SHORT_UNALIGNED, at + DIRENT_LENGTH)) {
                    int pid = number(buffer, at + DIRENT_NAME);
                    if (pid > 0) {
                        if (count == pids.length) {
                            pids = Arrays.copyOf(pids, count * 2);
                        }
                        pids[count++] = pid;
                    }
                }
            }
        }
        return Arrays.copyOf(pids, count);
    }

    /** Returns the same as {@link #pids(MemorySegment)}, for occasional use. */
    public static int[] pids() {
        try (Arena arena = Arena.ofConfined()) {
            return pids(arena.allocate(ONE_LOOK_BYTES, 8));
        }
    }

    /**
     * Returns the number of open descriptors of this process. Since Linux 6.2 it is the size of /proc/self/fd. Before, that
     * size is 0 and the entries are counted, which needs a descriptor.
     *
     * @throws LinuxException EMFILE or ENFILE if there is none for that
     */
    public static long openDescriptors() {
        long size = FileCalls.status(OWN_DESCRIPTORS, true).size();
        return size > 0 ? size : countDescriptors();
    }

    /**
     * Returns the number of files and directories that a user may watch, see inotify(7); the largest number if it is unknown.
     */
    public static long maxUserWatches() {
        byte[] text = read("/proc/sys/fs/inotify/max_user_watches");
        return text.length == 0 ? Long.MAX_VALUE : Long.parseLong(new String(text, StandardCharsets.US_ASCII).trim());
    }

    /** Counts the entries, which works on every kernel. */
    static long countDescriptors() {
        long count = 0;
        try (Arena arena = Arena.ofConfined();
                Fd directory = FileCalls.open(OWN_DESCRIPTORS, FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0)) {
            MemorySegment buffer = arena.allocate(ONE_LOOK_BYTES, 8);
            int filled;
            while ((filled = FileCalls.directoryEntries(directory.number(), buffer)) > 0) {
                for (int at = 0; at < filled; at += buffer.get(JAVA_SHORT_UNALIGNED, at + DIRENT_LENGTH)) {
                    count++;
                }
            }
        }
        return count - 3; // the directory itself, "." and ".."
    }

    /** Returns the fields of a process; empty if it is gone. */
    public static Optional<Stat> stat(int pid) {
        byte[] text = read("/proc/" + pid + "/stat");
        // The name in parentheses may itself contain parentheses and blanks.
        int close = text.length - 1;
        while (close >= 0 && text[close] != ')') {
            close--;
        }
        if (close < 0) {
            return Optional.empty();
        }
        String[] fields =
                new String(text, close + 2, text.length - close - 2, StandardCharsets.US_ASCII).split(" ", 21);
        return Optional.of(new Stat(
                fields[0].charAt(0),
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[2]),
                Integer.parseInt(fields[3]),
                Integer.parseInt(fields[4]),
                Integer.parseInt(fields[17]),
                Long.parseLong(fields[19])));
    }

    /** Returns the soft RLIMIT_RTTIME of a process; 0 if it is gone or unlimited. Every user may read this file. */
    public static long realtimeLimit(int pid) {
        return limit(read("/proc/" + pid + "/limits"), REALTIME)
                .map(LimitCalls.Limit::soft)
                .filter(soft -> soft != LimitCalls.UNLIMITED)
                .orElse(0L);
    }

    /** Returns RLIMIT_NOFILE of a process; empty if it is gone. */
    public static Optional<LimitCalls.Limit> openFilesLimit(int pid) {
        return limit(read("/proc/" + pid + "/limits"), OPEN_FILES);
    }

    private static Optional<LimitCalls.Limit> limit(byte[] text, byte[] label) {
        for (int at = 0; at < text.length; at = endOfLine(text, at) + 1) {
            if (startsWith(text, at, label)) {
                int end = endOfLine(text, at);
                String[] values = new String(
                                text, at + label.length, end - at - label.length, StandardCharsets.US_ASCII)
                        .strip()
                        .split(" +", 3);
                return Optional.of(new LimitCalls.Limit(value(values[0]), value(values[1])));
            }
        }
        return Optional.empty();
    }

    private static long value(String text) {
        return text.equals("unlimited") ? LimitCalls.UNLIMITED : Long.parseUnsignedLong(text);
    }

    /** Returns the content of a small file; empty if it cannot be read, which means for /proc/PID that the process is gone. */
    private static byte[] read(String path) {
        try (Fd file = FileCalls.open(path.getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY, 0);
                Scratch scratch = Scratch.take()) {
            long length = FileCalls.read(file.number(), scratch.struct());
            return length <= 0
                    ? new byte[0]
                    : scratch.struct().asSlice(0, length).toArray(JAVA_BYTE);
        } catch (LinuxException e) {
            return new byte[0];
        }
    }

    private static int endOfLine(byte[] text, int from) {
        int at = from;
        while (at < text.length && text[at] != '\n') {
            at++;
        }
        return at;
    }

    private static boolean startsWith(byte[] text, int at, byte[] prefix) {
        return at + prefix.length <= text.length
                && Arrays.equals(text, at, at + prefix.length, prefix, 0, prefix.length);
    }

    private static int number(MemorySegment memory, long at) {
        int value = 0;
        for (long i = at; ; i++) {
            byte digit = memory.get(JAVA_BYTE, i);
            if (digit == 0) {
                return value;
            }
            if (digit < '0' || digit > '9') {
                return 0;
            }
            value = value * 10 + digit - '0';
        }
    }
}
