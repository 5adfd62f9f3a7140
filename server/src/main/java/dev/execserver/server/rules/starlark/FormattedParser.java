package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.StringReader.FormattedText;
import dev.execserver.server.rules.starlark.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Reads an f-string: text with expressions in braces; doubled braces stand for themselves. */
final class FormattedParser {
    private final SourceText source;
    private final Token token;
    private final FormattedText place;
    private final List<Expression> parts = new ArrayList<>();
    private final StringBuilder plain = new StringBuilder();
    private int at;

    FormattedParser(SourceText source, Token token, FormattedText place) {
        this.source = source;
        this.token = token;
        this.place = place;
    }

    Expression parse() {
        String text = token.text();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '{' || c == '}') {
                brace(text, c);
            } else if (c == '\\' && !place.raw() && at + 1 < text.length()) {
                Escape escape = Escape.read(source, place.begin() + at);
                plain.append(escape.text());
                at = escape.end() - place.begin();
            } else {
                plain.append(c);
                at++;
            }
        }
        endPlain();
        return new Expression.Formatted(List.copyOf(parts), token.span());
    }

    private void brace(String text, char c) {
        if (at + 1 < text.length() && text.charAt(at + 1) == c) {
            plain.append(c);
            at += 2;
        } else if (c == '}') {
            throw error("standalone '}' in an f-string");
        } else {
            endPlain();
            expression(text);
        }
    }

    private void expression(String text) {
        int end = end(text);
        String inside = text.substring(at + 1, end);
        if (inside.isBlank()) {
            throw error("empty expression in an f-string");
        }
        int begin = place.begin() + at + 1;
        List<Token> tokens = Lexer.ofExpression(source, begin, begin + inside.length());
        TokenStream stream = new TokenStream(source, tokens);
        parts.add(new ExpressionParser(stream).expressionOrTuple());
        stream.expect(Kind.END, "'}'");
        at = end + 1;
    }

    /** Returns where the brace is closed, past brackets and strings inside. */
    private int end(String text) {
        int depth = 0;
        char quote = 0;
        for (int i = at; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '{' || c == '[' || c == '(') {
                depth++;
            } else if (c == '}' || c == ']' || c == ')') {
                depth--;
                if (depth == 0) {
                    return i;
                }
            }
        }
        throw error("'{' without '}' in an f-string");
    }

    private void endPlain() {
        if (!plain.isEmpty()) {
            parts.add(new Expression.Literal(plain.toString(), token.span()));
            plain.setLength(0);
        }
    }

    private StarlarkException error(String message) {
        return new StarlarkException("Parse error: " + message, source, token.span());
    }
}
