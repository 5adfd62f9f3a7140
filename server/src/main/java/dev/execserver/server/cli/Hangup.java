package dev.execserver.server.cli;

import dev.execserver.cli.SignalHandler;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes SIGHUP reload a server that has no controlling terminal, as daemons do. With a terminal the signal says that the
 * terminal is gone, and ends the server. Stateless.
 */
final class Hangup {
    private static final int SIGHUP = 1;
    /** Place of {@code tty_nr} behind the name of the program in /proc/self/stat, see proc_pid_stat(5). */
    private static final int TERMINAL_FIELD = 4;

    private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

    private Hangup() {}

    static void reloads(RunningServer server) {
        boolean ignored = ProcFiles.signals(ProcessCalls.ownPid())
                .filter(own -> own.ignores(SIGHUP))
                .isPresent();
        if (!ignored && !hasTerminal()) {
            boolean _ = SignalHandler.install("HUP", () -> {
                LOG.info("SIGHUP: reading credentials again");
                server.reload();
            });
        }
    }

    private static boolean hasTerminal() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return !fields[TERMINAL_FIELD].equals("0");
        } catch (IOException e) {
            return true; // the signal keeps its effect
        }
    }
}
