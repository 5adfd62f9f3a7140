package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.Token.Kind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Reads one string literal: prefixes r, b and f, one or three quotes, escapes. */
final class StringReader {
    private static final Set<String> PREFIXES = Set.of("r", "b", "rb", "br", "f", "fr", "rf");

    private final SourceText source;
    private final String text;
    private final int begin;
    private final boolean raw;
    private final boolean bytes;
    private final boolean formatted;
    private final String quotes;
    private int at;

    StringReader(SourceText source, int begin, String prefix) {
        this.source = source;
        this.text = source.text();
        this.begin = begin;
        String flags = prefix.toLowerCase(Locale.ROOT);
        this.raw = flags.contains("r");
        this.bytes = flags.contains("b");
        this.formatted = flags.contains("f");
        this.at = begin + prefix.length();
        String quote = text.substring(at, at + 1);
        this.quotes = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
        this.at += quotes.length();
    }

    static boolean isPrefix(String word) {
        return PREFIXES.contains(word.toLowerCase(Locale.ROOT));
    }

    int end() {
        return at;
    }

    /** The value of a bytes literal is a {@link BytesValue}; the text of an f-string keeps its braces, value is its begin. */
    Token read() {
        int content = at;
        StringBuilder value = new StringBuilder();
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        while (!text.startsWith(quotes, at)) {
            if (at >= text.length() || quotes.length() == 1 && text.charAt(at) == '\n') {
                throw new StarlarkException("Parse error: unfinished string literal", source, new Span(begin, at));
            }
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                escape(value, octets);
            } else {
                int c = text.codePointAt(at);
                append(c, value, octets);
                at += Character.charCount(c);
            }
        }
        String literal = text.substring(content, at);
        at += quotes.length();
        Span span = new Span(begin, at);
        if (formatted) {
            return new Token(Kind.FORMATTED, literal, new FormattedText(content, raw), span);
        }
        return bytes
                ? new Token(Kind.BYTES, literal, new BytesValue(octets.toByteArray()), span)
                : new Token(Kind.STRING, value.toString(), null, span);
    }

    /**
     * Place of the literal text of an f-string.
     *
     * @param begin offset in the source
     */
    record FormattedText(int begin, boolean raw) {}

    private static void append(int codePoint, StringBuilder value, ByteArrayOutputStream octets) {
        value.appendCodePoint(codePoint);
        octets.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
    }

    private void escape(StringBuilder value, ByteArrayOutputStream octets) {
        char c = text.charAt(at + 1);
        if (raw || formatted) {
            append('\\', value, octets);
            append(text.codePointAt(at + 1), value, octets);
            at += 1 + Character.charCount(text.codePointAt(at + 1));
            return;
        }
        Escape escape = Escape.read(source, at);
        at = escape.end();
        if (escape.octet() && bytes) {
            octets.write(escape.text().codePointAt(0));
        } else {
            octets.writeBytes(escape.text().getBytes(StandardCharsets.UTF_8));
        }
        value.append(c == '\n' ? "" : escape.text());
    }
}
