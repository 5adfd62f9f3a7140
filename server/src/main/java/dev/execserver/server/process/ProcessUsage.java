package dev.execserver.server.process;

import dev.execserver.sandbox.linux.ProcFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Processor time and memory of all processes at one moment, from /proc/PID/stat of proc_pid_stat(5). What a tree has used is
 * the sum of its living members, and of their children that have ended. One thread.
 */
public final class ProcessUsage {
    private static final long TICKS_PER_SECOND = 100; // USER_HZ of every Linux
    private static final long MS_PER_TICK = 1000 / TICKS_PER_SECOND;
    private static final long PAGE_BYTES = 4096;
    // fields behind the name of the program
    private static final int PARENT = 1;
    private static final int USER_TIME = 11;
    private static final int CHILDREN_SYSTEM_TIME = 14;
    private static final int RESIDENT_PAGES = 21;

    private final Map<Long, Sum> own = new HashMap<>();
    private final Map<Long, List<Long>> children = new HashMap<>();

    /** Use of a process or a tree. */
    public record Sum(long cpuMs, long memoryBytes, int processes) {
        static final Sum NOTHING = new Sum(0, 0, 0);

        Sum plus(Sum other) {
            return new Sum(cpuMs + other.cpuMs, memoryBytes + other.memoryBytes, processes + other.processes);
        }
    }

    private ProcessUsage() {}

    /** Reads the use of all processes. On a file worker. */
    public static ProcessUsage now() {
        ProcessUsage usage = new ProcessUsage();
        for (int pid : ProcFiles.pids()) {
            usage.read(pid);
        }
        return usage;
    }

    private void read(int pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = USER_TIME; i <= CHILDREN_SYSTEM_TIME; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            own.put((long) pid, new Sum(ticks * MS_PER_TICK, Long.parseLong(fields[RESIDENT_PAGES]) * PAGE_BYTES, 1));
            children.computeIfAbsent(Long.parseLong(fields[PARENT]), _ -> new ArrayList<>())
                    .add((long) pid);
        } catch (IOException e) {
            own.remove((long) pid); // it has ended meanwhile
        }
    }

    /** Returns the use of a process and all its descendants. */
    public Sum ofTree(long root) {
        Sum sum = Sum.NOTHING;
        Deque<Long> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            long pid = open.remove();
            sum = sum.plus(own.getOrDefault(pid, Sum.NOTHING));
            open.addAll(children.getOrDefault(pid, List.of()));
        }
        return sum;
    }
}
