package dev.execserver.server.rules.starlark;

import java.util.List;
import java.util.Set;

/** Reads type annotations: names of types, None, {@code list[T]}, {@code dict[K, V]}, tuples and {@code T | U}. */
final class Annotations {
    private static final Set<String> TYPES =
            Set.of("str", "int", "bool", "float", "bytes", "list", "tuple", "dict", "range");

    private Annotations() {}

    static TypeSpec read(Interpreter interpreter, Expression type, Scope scope) {
        return switch (type) {
            case Expression.Index(Expression.Name(String name, Span _), Expression index, Span _)
            when name.equals("list") -> new TypeSpec.ListOf(read(interpreter, index, scope));
            case Expression.Index(
                    Expression.Name(String name, Span _),
                    Expression.TupleOf(List<Expression> parts, Span _),
                    Span _)
            when name.equals("dict") && parts.size() == 2 ->
                new TypeSpec.DictOf(read(interpreter, parts.get(0), scope), read(interpreter, parts.get(1), scope));
            case Expression.Binary(String operator, Expression left, Expression right, Span _)
            when operator.equals("|") ->
                new TypeSpec.OneOf(List.of(read(interpreter, left, scope), read(interpreter, right, scope)));
            case Expression.TupleOf(List<Expression> parts, Span _) ->
                new TypeSpec.TupleOf(parts.stream()
                        .map(part -> read(interpreter, part, scope))
                        .toList());
            default -> of(interpreter.evaluate(type, scope));
        };
    }

    private static TypeSpec of(Object value) {
        if (value == NoneValue.NONE) {
            return TypeSpec.named("NoneType");
        }
        if (value instanceof Builtin function && TYPES.contains(function.name())) {
            return TypeSpec.named(function.name());
        }
        throw new Failure("Type `%s` is not a valid type annotation".formatted(Repr.of(value)));
    }
}
