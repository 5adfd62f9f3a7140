package dev.execserver.server.rules.starlark;

/**
 * Escape sequence of a string literal. An unknown one keeps its backslash.
 *
 * @param text that it stands for
 * @param octet true if it gives a number of at most 8 bits, which is one byte of a bytes literal
 * @param end offset behind it
 */
record Escape(String text, boolean octet, int end) {
    private static final int MAX_OCTAL_DIGITS = 3;

    /** Reads the escape whose backslash is at an offset; a character follows. */
    static Escape read(SourceText source, int at) {
        String text = source.text();
        char c = text.charAt(at + 1);
        return switch (c) {
            case 'n' -> new Escape("\n", false, at + 2);
            case 'r' -> new Escape("\r", false, at + 2);
            case 't' -> new Escape("\t", false, at + 2);
            case '\\', '\'', '"' -> new Escape(String.valueOf(c), false, at + 2);
            case '\n' -> new Escape("", false, at + 2);
            case 'x' -> hexadecimal(source, at, 2);
            case 'u' -> hexadecimal(source, at, 4);
            case 'U' -> hexadecimal(source, at, 8);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> octal(text, at);
            default ->
                new Escape(
                        "\\" + Character.toString(text.codePointAt(at + 1)),
                        false,
                        at + 1 + Character.charCount(text.codePointAt(at + 1)));
        };
    }

    private static Escape octal(String text, int at) {
        int end = at + 1;
        while (end < text.length() && end <= at + MAX_OCTAL_DIGITS && Character.digit(text.charAt(end), 8) >= 0) {
            end++;
        }
        int value = Integer.parseInt(text.substring(at + 1, end), 8);
        return new Escape(Character.toString(value), value < 256, end);
    }

    private static Escape hexadecimal(SourceText source, int at, int digits) {
        String text = source.text();
        int begin = at + 2;
        int end = begin;
        while (end < text.length() && end < begin + digits && Character.digit(text.charAt(end), 16) >= 0) {
            end++;
        }
        long value = end == begin + digits ? Long.parseLong(text.substring(begin, end), 16) : -1;
        boolean valid = value >= 0
                && value <= Character.MAX_CODE_POINT
                && (value < Character.MIN_SURROGATE || value > Character.MAX_SURROGATE);
        if (!valid) {
            throw new StarlarkException("Parse error: invalid string escape sequence", source, new Span(at, end));
        }
        return new Escape(Character.toString((int) value), digits == 2, end);
    }
}
