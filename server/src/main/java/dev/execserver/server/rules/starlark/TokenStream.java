package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.Token.Kind;
import java.util.List;

/** The tokens of a source, one after the other, and the errors of a parser. */
final class TokenStream {
    /** Expressions within expressions, blocks within blocks. */
    private static final int MAX_NESTING = 100;

    private final SourceText source;
    private final List<Token> tokens;
    private int at;
    private int nesting;

    TokenStream(SourceText source, List<Token> tokens) {
        this.source = source;
        this.tokens = tokens;
    }

    SourceText source() {
        return source;
    }

    Token peek() {
        return tokens.get(at);
    }

    Token peekSecond() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    Token next() {
        Token token = tokens.get(at);
        if (token.kind() != Kind.END) {
            at++;
        }
        return token;
    }

    boolean at(String symbolOrKeyword) {
        return peek().is(symbolOrKeyword);
    }

    boolean at(Kind kind) {
        return peek().kind() == kind;
    }

    /** Takes the next token if it is that symbol or keyword. */
    boolean take(String symbolOrKeyword) {
        boolean found = at(symbolOrKeyword);
        if (found) {
            next();
        }
        return found;
    }

    Token expect(String symbolOrKeyword) {
        if (!at(symbolOrKeyword)) {
            throw unexpected("symbol '" + symbolOrKeyword + "'");
        }
        return next();
    }

    Token expect(Kind kind, String described) {
        if (!at(kind)) {
            throw unexpected(described);
        }
        return next();
    }

    void enter() {
        nesting++;
        if (nesting > MAX_NESTING) {
            throw error("nested more than %d deep".formatted(MAX_NESTING), peek().span());
        }
    }

    void leave() {
        nesting--;
    }

    /** Returns the span from a begin to the last token that was taken. */
    Span since(Span begin) {
        return begin.to(tokens.get(at - 1).span());
    }

    StarlarkException unexpected(String expected) {
        Token token = peek();
        if (token.kind() == Kind.RESERVED) {
            return error("cannot use reserved keyword `%s`".formatted(token.text()), token.span());
        }
        Span span = token.kind() == Kind.NEW_LINE
                ? new Span(token.span().begin(), token.span().begin())
                : token.span();
        return error("unexpected %s, expected %s".formatted(token.described(), expected), span);
    }

    StarlarkException error(String message, Span span) {
        return new StarlarkException("Parse error: " + message, source, span);
    }
}
