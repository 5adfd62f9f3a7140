package dev.execserver.server.cli;

import dev.execserver.protocol.text.VisibleText;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Stream for log lines and stack traces. They may contain text that peers have chosen (names, paths, messages), so
 * every line is made harmless here: no text looks like another line, and no terminal obeys it. Code that logs need not
 * care.
 *
 * <p>SLF4J's simple logger and {@link Throwable#printStackTrace(PrintStream)} print a line with one call of println,
 * which contains the message of an exception with all its line breaks.
 */
final class LogStream extends PrintStream {
    private LogStream(PrintStream to) {
        super(to, true, StandardCharsets.UTF_8);
    }

    /** Replaces {@code System.err}, once. Code that already has the old stream still writes to it unchanged. */
    static void install() {
        if (!(System.err instanceof LogStream)) {
            System.setErr(new LogStream(System.err));
        }
    }

    static LogStream around(PrintStream to) {
        return new LogStream(to);
    }

    @Override
    public void println(String line) {
        super.println(VisibleText.line(String.valueOf(line)));
    }

    @Override
    public void println(Object line) {
        println(String.valueOf(line));
    }
}
