package dev.execserver.server.rules.starlark;

import java.util.List;
import java.util.Optional;

/** Expression of a program. */
sealed interface Expression {
    Span span();

    /** Value that stands in the source. */
    record Literal(Object value, Span span) implements Expression {}

    /** Text with values in it: an f-string. */
    record Formatted(List<Expression> parts, Span span) implements Expression {}

    record Name(String name, Span span) implements Expression {}

    record ListOf(List<Expression> elements, Span span) implements Expression {}

    record TupleOf(List<Expression> elements, Span span) implements Expression {}

    record DictOf(List<Entry> entries, Span span) implements Expression {}

    record Entry(Expression key, Expression value) {}

    /** List or dict that is computed from other values. */
    record Comprehension(Optional<Expression> key, Expression value, List<Clause> clauses, Span span)
            implements Expression {}

    /** Part of a comprehension: a loop, or a condition. */
    sealed interface Clause {}

    record Loop(Expression target, Expression over) implements Clause {}

    record Condition(Expression test) implements Clause {}

    record Unary(String operator, Expression operand, Span span) implements Expression {}

    record Binary(String operator, Expression left, Expression right, Span span) implements Expression {}

    /** {@code and}, {@code or}: the second operand is evaluated if the first does not decide. */
    record Logical(boolean and, Expression left, Expression right, Span span) implements Expression {}

    record Conditional(Expression test, Expression then, Expression otherwise, Span span) implements Expression {}

    record Index(Expression of, Expression index, Span span) implements Expression {}

    record Slice(
            Expression of, Optional<Expression> from, Optional<Expression> to, Optional<Expression> step, Span span)
            implements Expression {}

    record Attribute(Expression of, String name, Span span) implements Expression {}

    record Call(Expression function, List<Argument> arguments, Span span) implements Expression {}

    /** Function without a name. */
    record Lambda(FunctionCode code, Span span) implements Expression {}

    enum Passing {
        POSITION,
        NAME,
        STAR,
        STAR_STAR
    }

    /**
     * Argument of a call.
     *
     * @param name empty unless it is passed by name
     */
    record Argument(Passing passing, String name, Expression value) {}
}
