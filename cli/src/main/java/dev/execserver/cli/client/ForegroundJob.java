package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out if this process may use its terminal, see proc_pid_stat(5). Stateless. */
final class ForegroundJob {
    private static final Path OF_THIS_PROCESS = Path.of("/proc/self/stat");

    /** Positions of fields after the name of the program, which may contain blanks and brackets. */
    private static final int PROCESS_GROUP = 2;

    private static final int FOREGROUND_GROUP = 5;
    private static final String NONE = "-1";

    private ForegroundJob() {}

    /** Returns true if this process belongs to the foreground group of its terminal, or has none. */
    static boolean own() {
        try {
            return foreground(Files.readString(OF_THIS_PROCESS, ISO_8859_1));
        } catch (IOException noProc) {
            return true; // it cannot be found out; most processes may
        }
    }

    static boolean foreground(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return fields[FOREGROUND_GROUP].equals(NONE) || fields[FOREGROUND_GROUP].equals(fields[PROCESS_GROUP]);
    }
}
