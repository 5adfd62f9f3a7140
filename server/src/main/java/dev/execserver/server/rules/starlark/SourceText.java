package dev.execserver.server.rules.starlark;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Text of one rules file, with LF at the end of lines. */
final class SourceText {
    private final String name;
    private final String text;

    /** Offset of each line. */
    private final int[] lines;

    /** @param name as errors tell it */
    SourceText(String name, String text) {
        this.name = name;
        this.text = text;
        IntStream others = IntStream.range(0, text.length())
                .filter(i -> text.charAt(i) == '\n')
                .map(i -> i + 1);
        this.lines = IntStream.concat(IntStream.of(0), others).toArray();
    }

    String name() {
        return name;
    }

    String text() {
        return text;
    }

    /** Returns the line of an offset, counted from 1. */
    int line(int offset) {
        int found = Arrays.binarySearch(lines, offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    /** Returns the column of an offset in characters (code points), counted from 1. */
    int column(int offset) {
        return 1 + text.codePointCount(lines[line(offset) - 1], offset);
    }

    /** Returns the line that an offset lies in, without its end. */
    String lineText(int offset) {
        return text.substring(lines[line(offset) - 1], lineEnd(offset));
    }

    /** Returns the characters of a span that lie in its first line. */
    int charactersInFirstLine(Span span) {
        int end = Math.min(span.end(), lineEnd(span.begin()));
        return text.codePointCount(span.begin(), Math.max(end, span.begin()));
    }

    private int lineEnd(int offset) {
        int line = line(offset);
        return line < lines.length ? lines[line] - 1 : text.length();
    }
}
