package dev.execserver.server.cli;

import java.io.PrintStream;
import java.util.Map;

/** What a command has around it: its two output streams and its environment. */
public record Console(PrintStream out, PrintStream err, Map<String, String> environment) {
    public Console {
        environment = Map.copyOf(environment);
    }

    /** One line on stderr. */
    public void error(String message) {
        err.println("Error: " + message);
    }
}
