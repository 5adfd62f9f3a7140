package dev.execserver.sandbox.connect;

import dev.execserver.sandbox.linux.ProcStatus;
import java.util.Locale;

/** Finds the servers that a command runs in its own network, see proc_net_tcp of proc(5). Stateless; platform threads. */
final class InnerListeners {
    private static final String LISTENING = "0A";
    /** Line of sockstat6 where no socket of IPv6 is in use. */
    private static final String NO_SIX = "TCP6: inuse 0\n";

    private InnerListeners() {}

    /** Returns true if something listens on this port in the network of the task. */
    static boolean any(int tid, int port) {
        String end = String.format(Locale.ROOT, ":%04X", port);
        // Each table costs the kernel milliseconds, because it looks through those of all networks.
        return listens(tid, "tcp", end) || !table(tid, "sockstat6").contains(NO_SIX) && listens(tid, "tcp6", end);
    }

    private static boolean listens(int tid, String name, String end) {
        return table(tid, name)
                .lines()
                .skip(1)
                .map(line -> line.strip().split("\\s+", 5))
                .anyMatch(words -> words.length > 4 && words[1].endsWith(end) && words[3].equals(LISTENING));
    }

    private static String table(int tid, String name) {
        return ProcStatus.whole("/proc/" + tid + "/net/" + name);
    }
}
