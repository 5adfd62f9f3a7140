package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.FunctionCode.Kind;
import dev.execserver.server.rules.starlark.FunctionCode.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the parameters of a function. */
final class ParameterParser {
    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private final List<Parameter> parameters = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private boolean byName;
    private boolean defaults;
    private boolean ended;

    ParameterParser(TokenStream tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /**
     * Reads up to a symbol, which stays.
     *
     * @param typed true if annotations may follow the names
     */
    List<Parameter> parameters(String end, boolean typed) {
        while (!tokens.at(end)) {
            if (ended) {
                throw tokens.unexpected("the end of the parameters after **kwargs");
            }
            parameters.add(parameter(typed));
            if (!tokens.take(",")) {
                break;
            }
        }
        return List.copyOf(parameters);
    }

    private Parameter parameter(boolean typed) {
        if (tokens.take("**")) {
            ended = true;
            return new Parameter(Kind.NAMES, name(), type(typed), Optional.empty(), true);
        }
        if (tokens.at("*")) {
            return rest(typed);
        }
        Span span = tokens.peek().span();
        String name = name();
        Optional<Expression> type = type(typed);
        Optional<Expression> value = tokens.take("=") ? Optional.of(expressions.expression()) : Optional.empty();
        if (defaults && value.isEmpty() && !byName) {
            throw tokens.error("parameter `%s` without a default follows one with a default".formatted(name), span);
        }
        defaults |= value.isPresent();
        return new Parameter(Kind.ORDINARY, name, type, value, byName);
    }

    private Parameter rest(boolean typed) {
        Span span = tokens.next().span();
        if (byName) {
            throw tokens.error("more than one `*` in the parameters", span);
        }
        byName = true;
        return tokens.at(",")
                ? new Parameter(Kind.MARK, "*", Optional.empty(), Optional.empty(), true)
                : new Parameter(Kind.REST, name(), type(typed), Optional.empty(), true);
    }

    private String name() {
        Token token = tokens.expect(Token.Kind.NAME, "identifier");
        if (!names.add(token.text())) {
            throw tokens.error("duplicated parameter name `%s`".formatted(token.text()), token.span());
        }
        return token.text();
    }

    private Optional<Expression> type(boolean typed) {
        return typed && tokens.take(":") ? Optional.of(expressions.expression()) : Optional.empty();
    }
}
