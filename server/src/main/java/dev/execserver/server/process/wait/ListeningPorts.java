package dev.execserver.server.process.wait;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * TCP ports on which somebody listens in the network namespace of a process, from /proc/PID/net/tcp and tcp6 of proc_pid_net(5): the
 * kernel tells, so a program cannot pretend. Blocking; on file workers. Stateless.
 */
final class ListeningPorts {

    private static final List<String> TABLES = List.of("tcp", "tcp6");

    /** State of a socket that listens: TCP_LISTEN. */
    private static final String LISTENS = "0A";

    // columns of a row: number, local address, remote address, state, ...
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int COLUMNS = 5;

    private ListeningPorts() {}

    /** Returns true if somebody listens on the port, whatever the address; false also if the process is gone. */
    static boolean listens(int pid, int port) {
        return TABLES.stream().anyMatch(table -> listens(Path.of("/proc/" + pid + "/net/" + table), port));
    }

    private static boolean listens(Path table, int port) {
        try (BufferedReader rows = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
            return rows.lines().anyMatch(row -> listens(row, port));
        } catch (IOException | java.io.UncheckedIOException e) {
            return false; // the process has ended, or the kernel has no IPv6
        }
    }

    /** Returns true if this row of a table is a socket that listens on the port. */
    static boolean listens(String row, int port) {
        String[] columns = row.strip().split("\\s+", COLUMNS);
        return columns.length == COLUMNS
                && columns[STATE].equals(LISTENS)
                && columns[LOCAL_ADDRESS].endsWith(String.format(":%04X", port));
    }
}
