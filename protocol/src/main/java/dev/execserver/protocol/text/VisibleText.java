package dev.execserver.protocol.text;

import java.util.regex.Pattern;

/**
 * Makes text of other programs harmless for terminals and logs. Control characters, characters that change the text
 * direction, line breaks and invisible characters become escapes such as {@code \x1b} and {@code \u202e}; the rest is
 * unchanged. Stateless.
 *
 * <p>All text that our programs print and another program has chosen passes through here: names, messages, reasons,
 * arguments. Raw output of a program that is only passed on does not.
 */
public final class VisibleText {
    private static final Pattern LINE_BREAK = Pattern.compile("\\R\\s*");

    private VisibleText() {}

    /** Escapes line breaks and tabs too, so that the text cannot look like another field or another line. */
    public static String of(String text) {
        return escaped(text, "");
    }

    /**
     * Makes one line of a message: each line break and the white space after it become a space, the rest is as in
     * {@link #of}.
     */
    public static String oneLine(String text) {
        return of(LINE_BREAK.matcher(text.strip()).replaceAll(" "));
    }

    /** Keeps tabs, for one line of a log: the lines of a stack trace begin with tabs. */
    public static String line(String text) {
        return escaped(text, "\t");
    }

    /**
     * Keeps {@code \n} and tabs, for a text of our own with several lines that may contain names from other programs.
     */
    public static String lines(String text) {
        return escaped(text, "\n\t");
    }

    /** Returns true if {@link #of} would not change the text. */
    public static boolean harmless(String text) {
        return text.codePoints().noneMatch(VisibleText::hidden);
    }

    private static String escaped(String text, String kept) {
        if (harmless(text)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> {
            if (hidden(point) && kept.indexOf(point) < 0) {
                escape(point, out);
            } else {
                out.appendCodePoint(point);
            }
        });
        return out.toString();
    }

    /**
     * Returns true for C0, DEL and C1, for format controls (Unicode category Cf: directions, joiners, tags), for the line and
     * paragraph separators, and for half a surrogate pair.
     */
    private static boolean hidden(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static void escape(int point, StringBuilder out) {
        switch (point) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                String form = point < 0x100 ? "\\x%02x" : Character.isBmpCodePoint(point) ? "\\u%04x" : "\\U%08x";
                out.append(form.formatted(point));
            }
        }
    }
}
