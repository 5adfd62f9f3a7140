package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.Token.Kind;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** Cuts a source text into tokens. Line ends inside of brackets are no tokens; indentation is. */
final class Lexer {
    private static final Set<String> KEYWORDS = Set.of(
            "and",
            "break",
            "continue",
            "def",
            "elif",
            "else",
            "for",
            "if",
            "in",
            "lambda",
            "load",
            "not",
            "or",
            "pass",
            "return");
    private static final Set<String> RESERVED = Set.of(
            "as",
            "assert",
            "async",
            "await",
            "class",
            "del",
            "except",
            "finally",
            "from",
            "global",
            "import",
            "is",
            "nonlocal",
            "raise",
            "try",
            "while",
            "with",
            "yield");

    /** Longer symbols come before their beginnings. */
    private static final List<String> SYMBOLS = List.of(
            "...", "//=", "<<=", ">>=", "->", "//", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "%=",
            "&=", "|=", "^=", "**", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "=", "+", "-", "*", "/", "%", "<",
            ">", "&", "|", "^", "~");

    private final SourceText source;
    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private final Deque<Integer> indents = new ArrayDeque<>(List.of(0));
    private int at;
    private int brackets;

    private Lexer(SourceText source, int begin, int end) {
        this.source = source;
        this.text = source.text().substring(0, end);
        this.at = begin;
    }

    static List<Token> tokens(SourceText source) {
        Lexer lexer = new Lexer(source, 0, source.text().length());
        lexer.run(true);
        return lexer.tokens;
    }

    /** Cuts the part of a source that is one expression, in which line ends mean nothing. */
    static List<Token> ofExpression(SourceText source, int begin, int end) {
        Lexer lexer = new Lexer(source, begin, end);
        lexer.brackets = 1;
        lexer.run(false);
        return lexer.tokens;
    }

    private void run(boolean statements) {
        boolean lineBegins = statements;
        while (at < text.length()) {
            if (lineBegins && brackets == 0 && !indent()) {
                continue;
            }
            lineBegins = false;
            char c = text.charAt(at);
            if (c == '\n') {
                if (brackets == 0) {
                    add(Kind.NEW_LINE, at, at + 1);
                    lineBegins = true;
                }
                at++;
            } else if (c == ' ') {
                at++;
            } else if (c == '#') {
                at = lineEnd();
            } else if (c == '\\' && at + 1 < text.length() && text.charAt(at + 1) == '\n') {
                at += 2;
            } else {
                token(c);
            }
        }
        if (statements && !tokens.isEmpty() && tokens.getLast().kind() != Kind.NEW_LINE) {
            add(Kind.NEW_LINE, at, at);
        }
        while (indents.pop() > 0) {
            add(Kind.DEDENT, at, at);
        }
        add(Kind.END, at, at);
    }

    /** Reads the blanks at the begin of a line. Returns false if nothing else is in the line, which is skipped then. */
    private boolean indent() {
        int begin = at;
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        if (at == text.length() || text.charAt(at) == '\n' || text.charAt(at) == '#') {
            at = Math.min(lineEnd() + 1, text.length());
            return false;
        }
        int width = at - begin;
        if (width > indents.peek()) {
            indents.push(width);
            add(Kind.INDENT, begin, at);
        }
        while (width < indents.peek()) {
            indents.pop();
            add(Kind.DEDENT, at, at);
        }
        if (width != indents.peek()) {
            throw error("incorrect indentation", begin, at);
        }
        return true;
    }

    private void token(char c) {
        if (isNameStart(c)) {
            int end = at;
            while (end < text.length() && isNamePart(text.charAt(end))) {
                end++;
            }
            String word = text.substring(at, end);
            if (end < text.length() && isQuote(text.charAt(end)) && StringReader.isPrefix(word)) {
                string(word);
            } else {
                Kind kind =
                        KEYWORDS.contains(word) ? Kind.KEYWORD : RESERVED.contains(word) ? Kind.RESERVED : Kind.NAME;
                add(kind, at, end);
                at = end;
            }
        } else if (isQuote(c)) {
            string("");
        } else if (isDigit(c) || c == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1))) {
            number();
        } else {
            symbol();
        }
    }

    private void string(String prefix) {
        StringReader reader = new StringReader(source, at, prefix);
        tokens.add(reader.read());
        at = reader.end();
    }

    private void symbol() {
        for (String symbol : SYMBOLS) {
            if (text.startsWith(symbol, at)) {
                if ("([{".contains(symbol)) {
                    brackets++;
                } else if (")]}".contains(symbol) && brackets > 0) {
                    brackets--;
                }
                add(Kind.SYMBOL, at, at + symbol.length());
                at += symbol.length();
                return;
            }
        }
        int end = text.offsetByCodePoints(at, 1);
        throw error("invalid input `%s`".formatted(Repr.character(text.codePointAt(at))), at, end);
    }

    private void number() {
        int begin = at;
        if (text.charAt(at) == '0' && at + 1 < text.length() && "xXoObB".indexOf(text.charAt(at + 1)) >= 0) {
            int radix = switch (Character.toLowerCase(text.charAt(at + 1))) {
                case 'x' -> 16;
                case 'o' -> 8;
                default -> 2;
            };
            at += 2;
            integer(begin, wordEnd(), radix);
            return;
        }
        int end = digits(at);
        boolean fraction = end < text.length() && text.charAt(end) == '.';
        if (fraction) {
            end = digits(end + 1);
        }
        boolean exponent = end < text.length() && "eE".indexOf(text.charAt(end)) >= 0;
        if (exponent) {
            int sign = end + 1 < text.length() && "+-".indexOf(text.charAt(end + 1)) >= 0 ? 1 : 0;
            int digits = digits(end + 1 + sign);
            if (digits == end + 1 + sign) {
                throw error("invalid number", begin, digits);
            }
            end = digits;
        }
        if (end < text.length() && isNamePart(text.charAt(end))) {
            throw error("invalid number", begin, end + 1);
        }
        if (fraction || exponent) {
            tokens.add(new Token(
                    Kind.FLOAT,
                    text.substring(begin, end),
                    Double.valueOf(text.substring(begin, end)),
                    new Span(begin, end)));
            at = end;
        } else if (end - begin > 1
                && text.charAt(begin) == '0'
                && !text.substring(begin, end).matches("0+")) {
            throw error("a number must not begin with 0", begin, end);
        } else {
            integer(begin, end, 10);
        }
    }

    private void integer(int begin, int end, int radix) {
        String digits = text.substring(at, end);
        Budget.bits(digits.length() * 4L);
        if (digits.isEmpty() || !digits.chars().allMatch(c -> Character.digit(c, radix) >= 0)) {
            throw error("invalid number", begin, Math.max(end, begin + 1));
        }
        tokens.add(
                new Token(Kind.INT, text.substring(begin, end), new BigInteger(digits, radix), new Span(begin, end)));
        at = end;
    }

    private int digits(int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private int wordEnd() {
        int end = at;
        while (end < text.length() && isNamePart(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private int lineEnd() {
        int end = text.indexOf('\n', at);
        return end < 0 ? text.length() : end;
    }

    private void add(Kind kind, int begin, int end) {
        tokens.add(new Token(kind, text.substring(begin, end), null, new Span(begin, end)));
    }

    private StarlarkException error(String message, int begin, int end) {
        return new StarlarkException("Parse error: " + message, source, new Span(begin, end));
    }

    private static boolean isQuote(char c) {
        return c == '"' || c == '\'';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }

    private static boolean isNamePart(char c) {
        return isNameStart(c) || isDigit(c);
    }
}
