package dev.execserver.sandbox.linux;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Searches the descriptor tables of processes: /proc/PID/task/TID/fd of proc(5). For platform threads. Stateless. */
public final class ProcSockets {
    private ProcSockets() {}

    /** The result for one process. */
    public enum Holding {
        HOLDS,
        HOLDS_NOT,
        /** This user may not read the process, or the process has made itself unreadable (PR_SET_DUMPABLE). */
        UNREADABLE
    }

    /** Searches the table of the first thread, which almost all threads of a process share. */
    public static Holding ofFirstThread(int pid, long inode) {
        return ofThread("/proc/" + pid + "/fd", link(inode));
    }

    /** Searches the table of each thread: a thread can have its own, see CLONE_FILES of unshare(2). */
    public static Holding ofEveryThread(int pid, long inode) {
        Holding result = Holding.HOLDS_NOT;
        for (String thread : names("/proc/" + pid + "/task")) {
            switch (ofThread("/proc/" + pid + "/task/" + thread + "/fd", link(inode))) {
                case HOLDS -> {
                    return Holding.HOLDS;
                }
                case UNREADABLE -> result = Holding.UNREADABLE;
                case HOLDS_NOT -> {}
            }
        }
        return result;
    }

    private static byte[] link(long inode) {
        return ("socket:[" + inode + "]").getBytes(StandardCharsets.US_ASCII);
    }

    private static List<String> names(String path) {
        try (Fd directory = open(path)) {
            List<String> names = new ArrayList<>();
            List<DirectoryCalls.Entry> entries;
            while (!(entries = DirectoryCalls.entries(directory)).isEmpty()) {
                entries.forEach(entry -> names.add(new String(entry.name(), StandardCharsets.US_ASCII)));
            }
            return names;
        } catch (LinuxException e) {
            return List.of(); // it has ended
        }
    }

    private static Holding ofThread(String path, byte[] link) {
        try (Fd directory = open(path)) {
            List<DirectoryCalls.Entry> entries;
            while (!(entries = DirectoryCalls.entries(directory)).isEmpty()) {
                for (DirectoryCalls.Entry entry : entries) {
                    if (links(directory, entry.name(), link)) {
                        return Holding.HOLDS;
                    }
                }
            }
            return Holding.HOLDS_NOT;
        } catch (LinuxException e) {
            return e.errno() == Errno.EACCES || e.errno() == Errno.EPERM ? Holding.UNREADABLE : Holding.HOLDS_NOT;
        }
    }

    /** Returns true if the descriptor is that socket; false if it was closed meanwhile. */
    private static boolean links(Fd directory, byte[] name, byte[] link) {
        try {
            return Arrays.equals(DirectoryCalls.readLink(directory, name), link);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ESRCH) {
                return false;
            }
            throw e;
        }
    }

    private static Fd open(String path) {
        return FileCalls.open(path.getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0);
    }
}
