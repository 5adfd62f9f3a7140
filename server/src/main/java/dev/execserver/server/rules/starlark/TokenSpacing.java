package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.Token.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** Writes tokens on one line with the usual blanks between them. Stateless. */
final class TokenSpacing {
    private static final Set<String> OPENING = Set.of("(", "[", "{");
    private static final Set<String> CLOSING = Set.of(")", "]", "}");
    private static final Set<String> SIGNS = Set.of("-", "+", "~", "*", "**");
    private static final Set<Kind> VALUES =
            Set.of(Kind.NAME, Kind.INT, Kind.FLOAT, Kind.STRING, Kind.BYTES, Kind.FORMATTED);
    /** An opening bracket that follows a value: a call or an index. */
    private static final String INDEX = "index";

    private TokenSpacing() {}

    static boolean opens(Token token) {
        return token.kind() == Kind.SYMBOL && OPENING.contains(token.text());
    }

    static boolean closes(Token token) {
        return token.kind() == Kind.SYMBOL && CLOSING.contains(token.text());
    }

    /** @param around the bracket that the tokens stand in; empty for none */
    static String line(SourceText source, List<Token> tokens, String around) {
        StringBuilder line = new StringBuilder();
        Deque<String> brackets = new ArrayDeque<>(List.of(around));
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (i > 0 && blank(i > 1 ? tokens.get(i - 2) : null, tokens.get(i - 1), token, brackets)) {
                line.append(' ');
            }
            line.append(source.text(), token.span().begin(), token.span().end());
            if (opens(token)) {
                brackets.push(token.is("[") && i > 0 && value(tokens.get(i - 1)) ? INDEX : token.text());
            } else if (closes(token)) {
                brackets.pop();
            }
        }
        return line.toString();
    }

    private static boolean blank(Token beforeLast, Token last, Token next, Deque<String> brackets) {
        String inside = brackets.peek();
        if (last.is(".") || next.is(".") || opens(last) || closes(next) || next.is(",") || next.is(";")) {
            return false;
        }
        if (next.is(":") || (last.is(":") && inside.equals(INDEX))) {
            return false;
        }
        if (opens(next) && value(last)) {
            return next.is("{");
        }
        boolean keywordArgument = inside.equals("(") && (last.is("=") || next.is("="));
        boolean sign =
                last.kind() == Kind.SYMBOL && SIGNS.contains(last.text()) && (beforeLast == null || !value(beforeLast));
        return !keywordArgument && !sign;
    }

    /** Returns true for the last token of a value, behind which an operator, a call or an index can stand. */
    static boolean value(Token token) {
        return VALUES.contains(token.kind()) || closes(token);
    }
}
