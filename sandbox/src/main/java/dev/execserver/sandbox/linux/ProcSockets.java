package dev.execserver.sandbox.linux;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Searches the descriptor tables of processes for sockets: /proc/PID/task/TID/fd of proc(5). For platform threads. Stateless. */
public final class ProcSockets {
    private static final byte[] PREFIX = "socket:[".getBytes(StandardCharsets.US_ASCII);

    private ProcSockets() {}

    /**
     * Searches the table of the first thread, which almost all threads of a process share.
     *
     * @return the inodes that it holds; empty if this user may not read the process, or the process has made itself unreadable
     *     (PR_SET_DUMPABLE)
     */
    public static Optional<Set<Long>> ofFirstThread(int pid, Set<Long> inodes) {
        Set<Long> held = new HashSet<>();
        return search("/proc/" + pid + "/fd", inodes, held) ? Optional.of(held) : Optional.empty();
    }

    /** Searches the table of each thread: a thread can have its own, see CLONE_FILES of unshare(2). */
    public static Set<Long> ofEveryThread(int pid, Set<Long> inodes) {
        Set<Long> held = new HashSet<>();
        for (String thread : names("/proc/" + pid + "/task")) {
            if (held.size() < inodes.size()) {
                boolean _ = search(
                        "/proc/" + pid + "/task/" + thread + "/fd",
                        inodes,
                        held); // who hides, holds what nobody explains
            }
        }
        return held;
    }

    private static List<String> names(String path) {
        List<String> names = new ArrayList<>();
        try (Fd directory = open(path)) {
            List<DirectoryCalls.Entry> entries;
            while (!(entries = DirectoryCalls.entries(directory)).isEmpty()) {
                entries.forEach(entry -> names.add(new String(entry.name(), StandardCharsets.US_ASCII)));
            }
        } catch (LinuxException e) {
            boolean _ = throwUnlessHidden(e);
        }
        return names;
    }

    /** Returns false if the table cannot be read. */
    private static boolean search(String path, Set<Long> inodes, Set<Long> held) {
        try (Fd directory = open(path)) {
            List<DirectoryCalls.Entry> entries;
            while (held.size() < inodes.size() && !(entries = DirectoryCalls.entries(directory)).isEmpty()) {
                for (DirectoryCalls.Entry entry : entries) {
                    long inode = inode(directory, entry.name());
                    if (inodes.contains(inode)) {
                        held.add(inode);
                    }
                }
            }
            return true;
        } catch (LinuxException e) {
            return !throwUnlessHidden(e);
        }
    }

    /** Returns the inode of a socket; -1 for other descriptors, and for one that was closed meanwhile. */
    private static long inode(Fd directory, byte[] name) {
        try {
            byte[] link = DirectoryCalls.readLink(directory, name);
            if (link.length <= PREFIX.length || link[0] != 's') {
                return -1;
            }
            long number = 0;
            for (int i = PREFIX.length; i < link.length - 1; i++) {
                number = number * 10 + link[i] - '0';
            }
            return number;
        } catch (LinuxException e) {
            throwUnlessGone(e);
            return -1;
        }
    }

    /** Returns true if the process may not be looked into, false if it has ended. */
    private static boolean throwUnlessHidden(LinuxException e) {
        if (e.errno() == Errno.EACCES || e.errno() == Errno.EPERM) {
            return true;
        }
        throwUnlessGone(e);
        return false;
    }

    private static void throwUnlessGone(LinuxException e) {
        if (e.errno() != Errno.ENOENT && e.errno() != Errno.ESRCH) {
            throw e;
        }
    }

    private static Fd open(String path) {
        return FileCalls.open(path.getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0);
    }
}
