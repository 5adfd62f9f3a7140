package dev.execserver.server.cli;

import dev.execserver.protocol.text.VisibleText;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The stream that log lines and stack traces are printed to. What peers have chosen (names, paths, messages) may stand in
 * any of them, so that every line is made harmless here and not where it is written: nothing looks like another line, and
 * no terminal obeys it.
 *
 * <p>SLF4J's simple logger and {@link Throwable#printStackTrace(PrintStream)} print a line with one call of println, the
 * message of an exception with all its line breaks included.
 */
final class LogStream extends PrintStream {
    private LogStream(PrintStream to) {
        super(to, true, StandardCharsets.UTF_8);
    }

    /** Takes the place of {@code System.err}, once. Whoever holds the stream before writes to it as it was. */
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
