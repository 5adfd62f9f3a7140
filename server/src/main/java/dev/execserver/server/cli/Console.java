package dev.execserver.server.cli;

import dev.execserver.protocol.text.VisibleText;
import dev.execserver.server.config.FileErrors;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;

/** What a command has around it: its two output streams and its environment. */
public record Console(PrintStream out, PrintStream err, Map<String, String> environment) {
    public Console {
        environment = Map.copyOf(environment);
    }

    /** One line on stderr, or several of our own; control characters are shown as escapes. */
    public void error(String message) {
        err.println("Error: " + VisibleText.lines(message));
    }

    /** One line on stderr that is no error; shown as {@link #error} does. */
    public void note(String message) {
        err.println(VisibleText.lines(message));
    }

    /**
     * Writes what was printed and says so when that fails.
     *
     * @param status exit status of a command whose output could be written
     * @return the exit status: that one, 1 when the output could not be written, or 141 when nobody reads it
     */
    public int finish(int status) {
        if (!out.checkError()) { // which flushes
            return status;
        }
        Optional<IOException> why = out instanceof ConsoleOutput own ? own.failure() : Optional.empty();
        if (why.filter(BrokenPipe::is).isPresent()) {
            return ExitStatus.BROKEN_PIPE;
        }
        error("the output cannot be written"
                + why.map(e -> ": " + FileErrors.text(e)).orElse(""));
        return ExitStatus.FAILURE;
    }
}
