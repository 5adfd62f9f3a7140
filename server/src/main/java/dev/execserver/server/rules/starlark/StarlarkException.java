package dev.execserver.server.rules.starlark;

import java.util.List;

/** A rules file that cannot be read or run: the message, its place, and the calls that led there. */
public final class StarlarkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Longest source line in a traceback, in characters; the rest is replaced by three dots. */
    private static final int MAX_TRACE_CHARACTERS = 80;

    private static final String DOTS = "...";

    private final transient SourceText source;
    private final transient Span span;
    private final transient List<Frame> frames;

    /**
     * A call that was under way.
     *
     * @param function in which the call stands
     */
    record Frame(SourceText source, Span span, String function) {}

    StarlarkException(String message, SourceText source, Span span, List<Frame> frames) {
        super(message);
        this.source = source;
        this.span = span;
        this.frames = List.copyOf(frames);
    }

    StarlarkException(String message, SourceText source, Span span) {
        this(message, source, span, List.of());
    }

    /** Returns the line of the error, counted from 1. */
    public int line() {
        return source.line(span.begin());
    }

    /** Returns the column of the error in characters, counted from 1. */
    public int column() {
        return source.column(span.begin());
    }

    /** Returns the traceback, the message, the place, and the source line with the place underlined. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        if (!frames.isEmpty()) {
            text.append("Traceback (most recent call last):\n");
            frames.forEach(frame -> text.append("  * %s:%d, in %s\n      %s\n"
                    .formatted(
                            frame.source().name(),
                            frame.source().line(frame.span().begin()),
                            frame.function(),
                            shortened(frame.source()
                                    .lineText(frame.span().begin())
                                    .strip()))));
        }
        String number = Integer.toString(line());
        String margin = " ".repeat(number.length());
        return text.append(
                        "error: %s\n%s--> %s:%s:%d\n".formatted(getMessage(), margin, source.name(), number, column()))
                .append("%s |\n%s | %s\n".formatted(margin, number, source.lineText(span.begin())))
                .append("%s | %s%s\n"
                        .formatted(margin, " ".repeat(column() - 1), "^".repeat(source.charactersInFirstLine(span))))
                .append(margin)
                .append(" |")
                .toString();
    }

    private static String shortened(String line) {
        int length = line.codePointCount(0, line.length());
        return length <= MAX_TRACE_CHARACTERS
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MAX_TRACE_CHARACTERS - DOTS.length())) + DOTS;
    }
}
