package dev.execserver.server.rules.starlark;

/**
 * Part of a source text.
 *
 * @param begin offset of the first UTF-16 unit
 * @param end offset behind the last one
 */
record Span(int begin, int end) {
    Span to(Span other) {
        return new Span(begin, other.end);
    }
}
