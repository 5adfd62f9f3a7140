package dev.execserver.server.cli;

import dev.execserver.protocol.text.VisibleText;
import dev.execserver.server.environment.JournalStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stream for log lines and stack traces. They may contain text that peers have chosen (names, paths, messages), so
 * every line is made harmless here: no text looks like another line, and no terminal obeys it. Code that logs need not
 * care.
 *
 * <p>SLF4J's simple logger and {@link Throwable#printStackTrace(PrintStream)} print a line with one call of println,
 * which contains the message of an exception with all its line breaks.
 *
 * <p>For systemd's journal each line begins with its priority.
 */
final class LogStream extends PrintStream {
    /** Beginning of a line of the logger without a time: thread and level. */
    private static final Pattern LEVEL = Pattern.compile("\\[.*?\\] (ERROR|WARN|INFO|DEBUG|TRACE) ");

    private final boolean journal;

    private LogStream(PrintStream to, boolean journal) {
        super(to, true, StandardCharsets.UTF_8);
        this.journal = journal;
    }

    /** Replaces {@code System.err}, once. Code that already has the old stream still writes to it unchanged. */
    static void install() {
        if (!(System.err instanceof LogStream)) {
            System.setErr(new LogStream(System.err, JournalStream.isStandardError()));
        }
    }

    static LogStream around(PrintStream to) {
        return new LogStream(to, false);
    }

    @Override
    public void println(String line) {
        String shown = VisibleText.line(String.valueOf(line));
        super.println(journal ? priority(shown) + shown : shown);
    }

    /** Returns the prefix from which the journal takes the priority of a line, see sd-daemon(3). */
    private static String priority(String line) {
        Matcher begin = LEVEL.matcher(line);
        if (!begin.lookingAt()) {
            return ""; // part of a stack trace
        }
        return switch (begin.group(1)) {
            case "ERROR" -> "<3>";
            case "WARN" -> "<4>";
            case "INFO" -> "<6>";
            default -> "<7>";
        };
    }

    @Override
    public void println(Object line) {
        println(String.valueOf(line));
    }
}
