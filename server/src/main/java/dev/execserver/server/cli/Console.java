package dev.execserver.server.cli;

import dev.execserver.protocol.text.VisibleText;
import java.io.PrintStream;
import java.util.Map;

/** What a command has around it: its two output streams and its environment. */
public record Console(PrintStream out, PrintStream err, Map<String, String> environment) {
    public Console {
        environment = Map.copyOf(environment);
    }

    /** One line on stderr, or several of our own; control characters are shown as escapes. */
    public void error(String message) {
        err.println("Error: " + VisibleText.lines(message));
    }
}
