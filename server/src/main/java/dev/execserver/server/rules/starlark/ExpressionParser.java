package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.Expression.Argument;
import dev.execserver.server.rules.starlark.Expression.Clause;
import dev.execserver.server.rules.starlark.Expression.Passing;
import dev.execserver.server.rules.starlark.FunctionCode.Parameter;
import dev.execserver.server.rules.starlark.StringReader.FormattedText;
import dev.execserver.server.rules.starlark.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads expressions, by recursive descent: one method for each rank of operators. */
final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", ">", "<=", ">=", "in", "not in");

    /** Operators of two operands by rank, loosest first. */
    private static final List<Set<String>> RANKS = List.of(
            Set.of("|"), Set.of("^"), Set.of("&"), Set.of("<<", ">>"), Set.of("+", "-"), Set.of("*", "/", "//", "%"));

    /** Expressions within expressions that are written in a row: {@code a + b + c}, {@code a.b.c}, {@code f()()}. */
    private static final int MAX_HEIGHT = 250;

    private final TokenStream tokens;
    /** Height of the highest expression that was read since the enclosing one began. */
    private int height;

    ExpressionParser(TokenStream tokens) {
        this.tokens = tokens;
    }

    /** Reads an expression, or a tuple without parentheses. A comma at its end is refused. */
    Expression expressionOrTuple() {
        Expression first = expression();
        if (!tokens.at(",")) {
            return first;
        }
        List<Expression> elements = new ArrayList<>(List.of(first));
        while (tokens.take(",")) {
            elements.add(expression());
        }
        return new Expression.TupleOf(elements, tokens.since(first.span()));
    }

    Expression expression() {
        tokens.enter();
        try {
            return tokens.at("lambda") ? lambda() : conditional();
        } finally {
            tokens.leave();
        }
    }

    /** Reads the target of a loop: names, elements, or a tuple of them. */
    Expression loopTarget() {
        Expression first = primary();
        if (!tokens.at(",")) {
            return first;
        }
        List<Expression> elements = new ArrayList<>(List.of(first));
        while (tokens.take(",")) {
            elements.add(primary());
        }
        return new Expression.TupleOf(elements, tokens.since(first.span()));
    }

    private Expression lambda() {
        Span begin = tokens.expect("lambda").span();
        List<Parameter> parameters = new ParameterParser(tokens, this).parameters(":", false);
        tokens.expect(":");
        Expression value = expression();
        Set<String> locals = new HashSet<>();
        parameters.forEach(parameter -> locals.add(parameter.name()));
        Span span = tokens.since(begin);
        List<Statement> body = List.of(new Statement.Return(Optional.of(value), value.span()));
        return new Expression.Lambda(new FunctionCode("lambda", parameters, Optional.empty(), body, locals), span);
    }

    /** Begins an expression. Returns what {@link #end} needs. */
    private int begin() {
        int outer = height;
        height = 0;
        return outer;
    }

    /** An expression is put around what was read since it began. */
    private void higher() {
        height++;
        if (height > MAX_HEIGHT) {
            throw tokens.error(
                    "nested more than %d deep".formatted(MAX_HEIGHT),
                    tokens.peek().span());
        }
    }

    private Expression end(int outer, Expression expression) {
        height = Math.max(height, outer);
        return expression;
    }

    private Expression conditional() {
        Expression then = or();
        if (!tokens.take("if")) {
            return then;
        }
        Expression test = or();
        tokens.expect("else");
        Expression otherwise = expression();
        return new Expression.Conditional(test, then, otherwise, tokens.since(then.span()));
    }

    private Expression or() {
        int outer = begin();
        Expression left = and();
        while (tokens.take("or")) {
            left = new Expression.Logical(false, left, and(), tokens.since(left.span()));
            higher();
        }
        return end(outer, left);
    }

    private Expression and() {
        int outer = begin();
        Expression left = not();
        while (tokens.take("and")) {
            left = new Expression.Logical(true, left, not(), tokens.since(left.span()));
            higher();
        }
        return end(outer, left);
    }

    private Expression not() {
        if (!tokens.at("not")) {
            return comparison();
        }
        Span begin = tokens.next().span();
        tokens.enter();
        Expression operand = not();
        tokens.leave();
        return new Expression.Unary("not", operand, tokens.since(begin));
    }

    private Expression comparison() {
        Expression left = binary(0);
        String operator = comparisonOperator();
        if (operator.isEmpty()) {
            return left;
        }
        Expression right = binary(0);
        Span span = tokens.since(left.span());
        if (COMPARISONS.contains(tokens.peek().text()) && !tokens.at(Kind.NAME) && !tokens.at(Kind.STRING)) {
            throw tokens.unexpected("the end of the comparison; comparisons cannot be chained");
        }
        return new Expression.Binary(operator, left, right, span);
    }

    /** Takes an operator that compares; empty if there is none. */
    private String comparisonOperator() {
        if (tokens.at("not") && tokens.peekSecond().is("in")) {
            tokens.next();
            tokens.next();
            return "not in";
        }
        boolean compares = COMPARISONS.contains(tokens.peek().text())
                && tokens.at(tokens.peek().text());
        return compares ? tokens.next().text() : "";
    }

    private Expression binary(int rank) {
        if (rank == RANKS.size()) {
            return unary();
        }
        int outer = begin();
        Expression left = binary(rank + 1);
        while (tokens.at(Kind.SYMBOL) && RANKS.get(rank).contains(tokens.peek().text())) {
            String operator = tokens.next().text();
            left = new Expression.Binary(operator, left, binary(rank + 1), tokens.since(left.span()));
            higher();
        }
        return end(outer, left);
    }

    private Expression unary() {
        if (!tokens.at("-") && !tokens.at("+") && !tokens.at("~")) {
            return primary();
        }
        Token operator = tokens.next();
        tokens.enter();
        Expression operand = unary();
        tokens.leave();
        return new Expression.Unary(operator.text(), operand, tokens.since(operator.span()));
    }

    private Expression primary() {
        int outer = begin();
        Expression value = atom();
        while (true) {
            higher();
            if (tokens.take(".")) {
                String name = tokens.expect(Kind.NAME, "identifier").text();
                value = new Expression.Attribute(value, name, tokens.since(value.span()));
            } else if (tokens.take("(")) {
                value = call(value);
            } else if (tokens.take("[")) {
                value = indexOrSlice(value);
            } else {
                return end(outer, value);
            }
        }
    }

    private Expression atom() {
        Token token = tokens.peek();
        return switch (token.kind()) {
            case NAME -> new Expression.Name(tokens.next().text(), token.span());
            case INT, FLOAT, BYTES -> new Expression.Literal(tokens.next().value(), token.span());
            case STRING -> new Expression.Literal(tokens.next().text(), token.span());
            case FORMATTED -> formatted(tokens.next());
            case SYMBOL -> bracketed(token);
            case KEYWORD, RESERVED, NEW_LINE, INDENT, DEDENT, END -> throw tokens.unexpected("an expression");
        };
    }

    private Expression bracketed(Token token) {
        return switch (token.text()) {
            case "(" -> parenthesized();
            case "[" -> list();
            case "{" -> dict();
            default -> throw tokens.unexpected("an expression");
        };
    }

    private Expression parenthesized() {
        Span begin = tokens.next().span();
        if (tokens.take(")")) {
            return new Expression.TupleOf(List.of(), tokens.since(begin));
        }
        Expression first = expression();
        if (tokens.take(")")) {
            return first;
        }
        List<Expression> elements = new ArrayList<>(List.of(first));
        while (tokens.take(",") && !tokens.at(")")) {
            elements.add(expression());
        }
        tokens.expect(")");
        return new Expression.TupleOf(elements, tokens.since(begin));
    }

    private Expression list() {
        Span begin = tokens.next().span();
        List<Expression> elements = new ArrayList<>();
        while (!tokens.at("]")) {
            elements.add(expression());
            if (elements.size() == 1 && tokens.at("for")) {
                List<Clause> clauses = clauses();
                tokens.expect("]");
                return new Expression.Comprehension(
                        Optional.empty(), elements.getFirst(), clauses, tokens.since(begin));
            }
            if (!tokens.take(",")) {
                break;
            }
        }
        tokens.expect("]");
        return new Expression.ListOf(elements, tokens.since(begin));
    }

    private Expression dict() {
        Span begin = tokens.next().span();
        List<Expression.Entry> entries = new ArrayList<>();
        while (!tokens.at("}")) {
            Expression key = expression();
            tokens.expect(":");
            Expression value = expression();
            if (entries.isEmpty() && tokens.at("for")) {
                List<Clause> clauses = clauses();
                tokens.expect("}");
                return new Expression.Comprehension(Optional.of(key), value, clauses, tokens.since(begin));
            }
            entries.add(new Expression.Entry(key, value));
            if (!tokens.take(",")) {
                break;
            }
        }
        tokens.expect("}");
        return new Expression.DictOf(entries, tokens.since(begin));
    }

    private List<Clause> clauses() {
        List<Clause> clauses = new ArrayList<>();
        while (tokens.at("for") || tokens.at("if")) {
            if (tokens.next().text().equals("if")) {
                clauses.add(new Expression.Condition(or()));
            } else {
                Expression target = loopTarget();
                tokens.expect("in");
                clauses.add(new Expression.Loop(target, or()));
            }
        }
        return clauses;
    }

    private Expression call(Expression function) {
        List<Argument> arguments = new ArrayList<>();
        Passing last = Passing.POSITION;
        while (!tokens.at(")")) {
            Argument argument = argument();
            if (argument.passing().compareTo(last) < 0) {
                throw tokens.error(
                        "positional arguments go first, then named ones, then *args, then **kwargs",
                        argument.value().span());
            }
            last = argument.passing();
            arguments.add(argument);
            if (!tokens.take(",")) {
                break;
            }
        }
        tokens.expect(")");
        return new Expression.Call(function, arguments, tokens.since(function.span()));
    }

    private Argument argument() {
        if (tokens.take("*")) {
            return new Argument(Passing.STAR, "", expression());
        }
        if (tokens.take("**")) {
            return new Argument(Passing.STAR_STAR, "", expression());
        }
        if (tokens.at(Kind.NAME) && tokens.peekSecond().is("=")) {
            String name = tokens.next().text();
            tokens.next();
            return new Argument(Passing.NAME, name, expression());
        }
        return new Argument(Passing.POSITION, "", expression());
    }

    private Expression indexOrSlice(Expression of) {
        Optional<Expression> from = tokens.at(":") ? Optional.empty() : Optional.of(expressionOrTuple());
        if (from.isPresent() && tokens.take("]")) {
            return new Expression.Index(of, from.get(), tokens.since(of.span()));
        }
        tokens.expect(":");
        Optional<Expression> to = tokens.at(":") || tokens.at("]") ? Optional.empty() : Optional.of(expression());
        Optional<Expression> step = tokens.take(":") && !tokens.at("]") ? Optional.of(expression()) : Optional.empty();
        tokens.expect("]");
        return new Expression.Slice(of, from, to, step, tokens.since(of.span()));
    }

    private Expression formatted(Token token) {
        FormattedText place = (FormattedText) token.value();
        return new FormattedParser(tokens.source(), token, place).parse();
    }
}
