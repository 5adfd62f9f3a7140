package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.FunctionCode.Parameter;
import dev.execserver.server.rules.starlark.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the statements of a program. */
final class Parser {
    private static final Set<String> UPDATES =
            Set.of("+=", "-=", "*=", "/=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>=");

    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private int functions;
    private int loops;

    private Parser(SourceText source) {
        tokens = new TokenStream(source, Lexer.tokens(source));
        expressions = new ExpressionParser(tokens);
    }

    static List<Statement> statements(SourceText source) {
        Parser parser = new Parser(source);
        List<Statement> statements = new ArrayList<>();
        while (!parser.tokens.at(Kind.END)) {
            if (parser.tokens.at(Kind.NEW_LINE)) {
                parser.tokens.next();
            } else {
                parser.statement(statements);
            }
        }
        return statements;
    }

    private void statement(List<Statement> into) {
        tokens.enter();
        switch (tokens.peek().kind() == Kind.KEYWORD ? tokens.peek().text() : "") {
            case "def" -> into.add(define());
            case "if" -> into.add(branch());
            case "for" -> into.add(loop());
            default -> simple(into);
        }
        tokens.leave();
    }

    /** Reads simple statements up to the end of the line, with semicolons between them. */
    private void simple(List<Statement> into) {
        into.add(small());
        while (tokens.take(";")) {
            if (tokens.at(Kind.NEW_LINE)) {
                break;
            }
            into.add(small());
        }
        tokens.expect(Kind.NEW_LINE, "new line");
    }

    private Statement small() {
        Span span = tokens.peek().span();
        if (tokens.peek().kind() != Kind.KEYWORD) {
            return expressionOrAssignment();
        }
        switch (tokens.peek().text()) {
            case "return" -> {
                tokens.next();
                boolean bare = tokens.at(Kind.NEW_LINE) || tokens.at(";");
                Optional<Expression> value = bare ? Optional.empty() : Optional.of(expressions.expressionOrTuple());
                requireInside(functions, "return", "a function", span);
                return new Statement.Return(value, tokens.since(span));
            }
            case "break" -> {
                tokens.next();
                requireInside(loops, "break", "a loop", span);
                return new Statement.Break(span);
            }
            case "continue" -> {
                tokens.next();
                requireInside(loops, "continue", "a loop", span);
                return new Statement.Continue(span);
            }
            case "pass" -> {
                tokens.next();
                return new Statement.Pass(span);
            }
            case "load" -> {
                return load();
            }
            default -> {
                return expressionOrAssignment();
            }
        }
    }

    private void requireInside(int count, String word, String place, Span span) {
        if (count == 0) {
            throw tokens.error("`%s` outside of %s".formatted(word, place), span);
        }
    }

    private Statement load() {
        Span span = tokens.next().span();
        tokens.expect("(");
        String module = tokens.expect(Kind.STRING, "string literal").text();
        while (tokens.take(",") && !tokens.at(")")) {
            if (tokens.at(Kind.NAME)) {
                tokens.next();
                tokens.expect("=");
            }
            tokens.expect(Kind.STRING, "string literal");
        }
        tokens.expect(")");
        return new Statement.Load(module, tokens.since(span));
    }

    private Statement expressionOrAssignment() {
        Expression left = expressions.expressionOrTuple();
        Token operator = tokens.peek();
        if (tokens.take(":")) {
            if (!(left instanceof Expression.Name)) {
                throw tokens.error("only a name can have a type annotation", left.span());
            }
            Expression type = expressions.expression();
            tokens.expect("=");
            return new Statement.Assign(
                    left, Optional.of(type), expressions.expressionOrTuple(), tokens.since(left.span()));
        }
        if (tokens.take("=")) {
            requireTarget(left, true);
            Expression value = expressions.expressionOrTuple();
            return new Statement.Assign(left, Optional.empty(), value, tokens.since(left.span()));
        }
        if (operator.kind() == Kind.SYMBOL && UPDATES.contains(operator.text())) {
            tokens.next();
            requireTarget(left, false);
            Expression value = expressions.expressionOrTuple();
            String update = operator.text().substring(0, operator.text().length() - 1);
            return new Statement.Update(left, update, value, tokens.since(left.span()));
        }
        return new Statement.Evaluate(left, left.span());
    }

    private void requireTarget(Expression target, boolean several) {
        switch (target) {
            case Expression.Name _, Expression.Index _, Expression.Attribute _ -> {}
            case Expression.TupleOf(List<Expression> elements, Span _)
            when several && !elements.isEmpty() -> elements.forEach(element -> requireTarget(element, true));
            case Expression.ListOf(List<Expression> elements, Span _)
            when several && !elements.isEmpty() -> elements.forEach(element -> requireTarget(element, true));
            default -> throw tokens.error("cannot assign to this expression", target.span());
        }
    }

    private Statement branch() {
        Span span = tokens.next().span();
        Expression test = expressions.expression();
        List<Statement> then = block();
        List<Statement> otherwise = List.of();
        if (tokens.at("elif")) {
            tokens.enter();
            otherwise = List.of(branch());
            tokens.leave();
        } else if (tokens.take("else")) {
            otherwise = block();
        }
        return new Statement.If(test, then, otherwise, tokens.since(span));
    }

    private Statement loop() {
        Span span = tokens.next().span();
        Expression target = expressions.loopTarget();
        requireTarget(target, true);
        tokens.expect("in");
        Expression over = expressions.expressionOrTuple();
        loops++;
        List<Statement> body = block();
        loops--;
        return new Statement.For(target, over, body, tokens.since(span));
    }

    private Statement define() {
        Span span = tokens.next().span();
        String name = tokens.expect(Kind.NAME, "identifier").text();
        tokens.expect("(");
        List<Parameter> parameters = new ParameterParser(tokens, expressions).parameters(")", true);
        tokens.expect(")");
        Optional<Expression> result = tokens.take("->") ? Optional.of(expressions.expression()) : Optional.empty();
        int outerLoops = loops;
        loops = 0;
        functions++;
        List<Statement> body = block();
        functions--;
        loops = outerLoops;
        Set<String> locals = new HashSet<>(Bindings.of(body));
        parameters.forEach(parameter -> locals.add(parameter.name()));
        return new Statement.Define(new FunctionCode(name, parameters, result, body, locals), tokens.since(span));
    }

    private List<Statement> block() {
        tokens.expect(":");
        List<Statement> statements = new ArrayList<>();
        if (!tokens.at(Kind.NEW_LINE)) {
            simple(statements);
            return statements;
        }
        tokens.next();
        tokens.expect(Kind.INDENT, "new indentation block");
        while (!tokens.at(Kind.DEDENT)) {
            statement(statements);
        }
        tokens.next();
        return statements;
    }
}
