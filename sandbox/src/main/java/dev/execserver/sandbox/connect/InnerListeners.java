package dev.execserver.sandbox.connect;

import dev.execserver.sandbox.linux.ProcStatus;
import java.util.List;
import java.util.Locale;

/** Finds the servers that a command runs in its own network, see proc_net_tcp of proc(5). Stateless; platform threads. */
final class InnerListeners {
    private static final List<String> TABLES = List.of("tcp", "tcp6");
    private static final String LISTENING = "0A";

    private InnerListeners() {}

    /** Returns true if something listens on this port in the network of the task. */
    static boolean any(int tid, int port) {
        String end = String.format(Locale.ROOT, ":%04X", port);
        for (String table : TABLES) {
            boolean found = ProcStatus.whole("/proc/" + tid + "/net/" + table)
                    .lines()
                    .skip(1)
                    .map(line -> line.strip().split("\\s+", 5))
                    .anyMatch(words -> words.length > 4 && words[1].endsWith(end) && words[3].equals(LISTENING));
            if (found) {
                return true;
            }
        }
        return false;
    }
}
