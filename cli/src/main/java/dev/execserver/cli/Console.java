package dev.execserver.cli;

import dev.execserver.cli.local.FileErrors;
import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;

/** Output streams and environment of a command. */
public record Console(PrintStream out, PrintStream err, Map<String, String> environment) {
    public Console {
        environment = Map.copyOf(environment);
    }

    /** Prints an error on stderr, always on one line. The message may repeat words of another program. */
    public void error(String message) {
        err.println("Error: " + VisibleText.oneLine(message));
    }

    /** Prints a message on stderr that is no error, as {@link #error} does. */
    public void note(String message) {
        err.println(VisibleText.oneLine(message));
    }

    /** Prints an error of this program on stderr, on one or more lines. The message must not repeat words of a server. */
    public void errorLines(String message) {
        err.println("Error: " + VisibleText.lines(message));
    }

    /**
     * Flushes the output and reports a failure to write it.
     *
     * @param status exit status of a command whose output could be written
     * @return the exit status: that one, 1 if the output could not be written, or 141 if nobody reads it
     */
    public int finish(int status) {
        if (!out.checkError()) { // checkError flushes
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
