package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.Expression.Argument;
import dev.execserver.server.rules.starlark.FunctionCode.Parameter;
import dev.execserver.server.rules.starlark.StarlarkException.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Evaluates a program: statements here, expressions beside. Used by one thread. */
public final class Interpreter {
    private static final String FILE = "<module>";

    private final SourceText source;
    private final Map<String, Object> builtins;
    private final Budget budget;
    private final Operators operators;
    private final Comprehensions comprehensions = new Comprehensions(this);

    /** Calls under way, and the functions that they are in; the innermost comes last. */
    private final List<Frame> calls = new ArrayList<>();

    private final Deque<String> functions = new ArrayDeque<>(List.of(FILE));

    /** Reason for the end of a list of statements. */
    private sealed interface End {
        enum Plain implements End {
            BEHIND_LAST,
            BREAK,
            CONTINUE
        }

        record Returned(Object value) implements End {}
    }

    Interpreter(SourceText source, Map<String, Object> builtins, Budget budget) {
        this.source = source;
        this.builtins = new HashMap<>(builtins);
        this.budget = budget;
        this.operators = new Operators(budget);
    }

    Budget budget() {
        return budget;
    }

    /** Returns the line of the innermost call that is under way, counted from 1. */
    public int line() {
        return source.line(calls.getLast().span().begin());
    }

    void runFile(List<Statement> statements, Scope scope) {
        execute(statements, scope);
    }

    /** Runs the body of a function and returns its value. */
    Object run(List<Statement> body, Scope scope, String function) {
        budget.enter();
        functions.push(function);
        try {
            return execute(body, scope) instanceof End.Returned(Object value) ? value : NoneValue.NONE;
        } finally {
            functions.pop();
            budget.leave();
        }
    }

    /** Calls a function on behalf of a builtin, such as the key of a sort. */
    Object call(Object function, Arguments arguments) {
        if (!(function instanceof Callable callable)) {
            throw new Failure("Operation `call()` not supported on type `%s`".formatted(Values.type(function)));
        }
        return callable.call(this, arguments);
    }

    private End execute(List<Statement> statements, Scope scope) {
        for (Statement statement : statements) {
            End end = placed(statement.span(), () -> nested(() -> execute(statement, scope)));
            if (end != End.Plain.BEHIND_LAST) {
                return end;
            }
        }
        return End.Plain.BEHIND_LAST;
    }

    private End execute(Statement statement, Scope scope) {
        budget.step();
        switch (statement) {
            case Statement.Evaluate(Expression expression, Span _) -> evaluate(expression, scope);
            case Statement.Assign assign -> {
                Object value = evaluate(assign.value(), scope);
                assign.type().ifPresent(type -> requireType(value, Annotations.read(this, type, scope)));
                assign(assign.target(), value, scope);
            }
            case Statement.Update update -> update(update, scope);
            case Statement.If branch -> {
                boolean test = Values.truth(evaluate(branch.test(), scope));
                return execute(test ? branch.then() : branch.otherwise(), scope);
            }
            case Statement.For loop -> {
                return loop(loop, scope);
            }
            case Statement.Define(FunctionCode code, Span _) -> scope.set(code.name(), function(code, scope));
            case Statement.Return(Optional<Expression> value, Span _) -> {
                return new End.Returned(value.map(each -> evaluate(each, scope)).orElse(NoneValue.NONE));
            }
            case Statement.Break _ -> {
                return End.Plain.BREAK;
            }
            case Statement.Continue _ -> {
                return End.Plain.CONTINUE;
            }
            case Statement.Pass _, Statement.Load _ -> {}
        }
        return End.Plain.BEHIND_LAST;
    }

    private static void requireType(Object value, TypeSpec type) {
        if (!type.matches(value)) {
            throw new Failure("Value `%s` of type `%s` does not match the type annotation `%s`"
                    .formatted(Repr.of(value), Values.type(value), type));
        }
    }

    private End loop(Statement.For loop, Scope scope) {
        Object over = placed(loop.over().span(), () -> evaluate(loop.over(), scope));
        return iterate(over, element -> {
                    budget.step();
                    assign(loop.target(), element, scope);
                    return execute(loop.body(), scope);
                })
                .filter(end -> end instanceof End.Returned)
                .orElse(End.Plain.BEHIND_LAST);
    }

    private Optional<End> iterate(Object over, java.util.function.Function<Object, End> body) {
        return Iteration.over(over, elements -> {
            for (Object element : elements) {
                End end = body.apply(element);
                if (end == End.Plain.BREAK || end instanceof End.Returned) {
                    return Optional.of(end);
                }
            }
            return Optional.empty();
        });
    }

    void assign(Expression target, Object value, Scope scope) {
        placed(target.span(), () -> {
            switch (target) {
                case Expression.Name(String name, Span _) -> scope.set(name, value);
                case Expression.Index index ->
                    Elements.set(budget, evaluate(index.of(), scope), evaluate(index.index(), scope), value);
                case Expression.Attribute attribute ->
                    throw new Failure("Object of type `%s` has no attribute `%s` that can be set"
                            .formatted(Values.type(evaluate(attribute.of(), scope)), attribute.name()));
                case Expression.TupleOf(List<Expression> targets, Span _) -> unpack(targets, value, scope);
                case Expression.ListOf(List<Expression> targets, Span _) -> unpack(targets, value, scope);
                default -> throw new Failure("cannot assign to this expression");
            }
            return NoneValue.NONE;
        });
    }

    private void unpack(List<Expression> targets, Object value, Scope scope) {
        List<Object> elements = List.copyOf(Values.elements(value));
        if (elements.size() != targets.size()) {
            throw new Failure("Unpacked %d values but expected %d".formatted(elements.size(), targets.size()));
        }
        for (int i = 0; i < targets.size(); i++) {
            assign(targets.get(i), elements.get(i), scope);
        }
    }

    /** The target's object and index are evaluated once; a list is extended in place by {@code +=}. */
    private void update(Statement.Update update, Scope scope) {
        if (update.target() instanceof Expression.Index(Expression of, Expression index, Span _)) {
            Object object = evaluate(of, scope);
            Object key = evaluate(index, scope);
            Object updated =
                    updated(update.operator(), Elements.get(budget, object, key), evaluate(update.value(), scope));
            Elements.set(budget, object, key, updated);
        } else {
            Object old = evaluate(update.target(), scope);
            assign(update.target(), updated(update.operator(), old, evaluate(update.value(), scope)), scope);
        }
    }

    private Object updated(String operator, Object old, Object value) {
        if (operator.equals("+") && old instanceof ListValue list) {
            List<Object> added = List.copyOf(Values.elements(value));
            budget.allocate((long) list.elements().size() + added.size());
            list.change().addAll(added);
            return list;
        }
        return operators.binary(operator, old, value);
    }

    Object evaluate(Expression expression, Scope scope) {
        return placed(expression.span(), () -> {
            budget.step();
            return nested(() -> value(expression, scope));
        });
    }

    private <T> T nested(java.util.function.Supplier<T> work) {
        budget.beginEvaluation();
        try {
            return work.get();
        } finally {
            budget.endEvaluation();
        }
    }

    private Object value(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Literal(Object value, Span _) -> value;
            case Expression.Formatted formatted -> formatted(formatted, scope);
            case Expression.Name(String name, Span _) -> scope.get(name).orElseGet(() -> builtins.get(name));
            case Expression.ListOf(List<Expression> elements, Span _) -> new ListValue(all(elements, scope));
            case Expression.TupleOf(List<Expression> elements, Span _) -> new TupleValue(all(elements, scope));
            case Expression.DictOf(List<Expression.Entry> entries, Span _) -> dict(entries, scope);
            case Expression.Comprehension comprehension -> comprehensions.evaluate(comprehension, scope);
            case Expression.Unary(String operator, Expression operand, Span _) ->
                operators.unary(operator, evaluate(operand, scope));
            case Expression.Binary(String operator, Expression left, Expression right, Span _) ->
                operators.binary(operator, evaluate(left, scope), evaluate(right, scope));
            case Expression.Logical(boolean and, Expression left, Expression right, Span _) -> {
                Object first = evaluate(left, scope);
                yield Values.truth(first) == and ? evaluate(right, scope) : first;
            }
            case Expression.Conditional(Expression test, Expression then, Expression otherwise, Span _) ->
                evaluate(Values.truth(evaluate(test, scope)) ? then : otherwise, scope);
            case Expression.Index(Expression of, Expression index, Span _) ->
                Elements.get(budget, evaluate(of, scope), evaluate(index, scope));
            case Expression.Slice slice ->
                Elements.slice(
                        budget,
                        evaluate(slice.of(), scope),
                        slice.from().map(each -> evaluate(each, scope)),
                        slice.to().map(each -> evaluate(each, scope)),
                        slice.step().map(each -> evaluate(each, scope)));
            case Expression.Attribute(Expression of, String name, Span _) ->
                Methods.required(evaluate(of, scope), name);
            case Expression.Call call -> call(call, scope);
            case Expression.Lambda(FunctionCode code, Span _) -> function(code, scope);
        };
    }

    private List<Object> all(List<Expression> elements, Scope scope) {
        budget.allocate(elements.size());
        List<Object> values = new ArrayList<>();
        elements.forEach(element -> values.add(evaluate(element, scope)));
        return values;
    }

    private String formatted(Expression.Formatted formatted, Scope scope) {
        StringBuilder text = new StringBuilder();
        for (Expression part : formatted.parts()) {
            text.append(Repr.string(evaluate(part, scope)));
            budget.allocate(text.length());
        }
        return text.toString();
    }

    private DictValue dict(List<Expression.Entry> entries, Scope scope) {
        budget.allocate(entries.size());
        DictValue dict = new DictValue();
        for (Expression.Entry entry : entries) {
            Object key = evaluate(entry.key(), scope);
            if (dict.get(key).isPresent()) {
                throw new Failure("Key repeated in dict literal: %s".formatted(Repr.of(key)));
            }
            dict.put(key, evaluate(entry.value(), scope));
        }
        return dict;
    }

    private Function function(FunctionCode code, Scope scope) {
        List<Optional<TypeSpec>> types = new ArrayList<>();
        List<Optional<Object>> defaults = new ArrayList<>();
        for (Parameter parameter : code.parameters()) {
            types.add(parameter.type().map(type -> Annotations.read(this, type, scope)));
            defaults.add(parameter.defaultValue().map(value -> evaluate(value, scope)));
        }
        Optional<TypeSpec> result = code.result().map(type -> Annotations.read(this, type, scope));
        return new Function(code, types, result, defaults, scope);
    }

    private Object call(Expression.Call call, Scope scope) {
        Object function = evaluate(call.function(), scope);
        Arguments arguments = arguments(call.arguments(), scope);
        calls.add(new Frame(source, call.span(), functions.peek()));
        // An error keeps the frames that it found; they are taken away afterwards.
        try {
            return placed(call.span(), () -> call(function, arguments));
        } finally {
            calls.removeLast();
        }
    }

    private Arguments arguments(List<Argument> arguments, Scope scope) {
        List<Object> positions = new ArrayList<>();
        Map<String, Object> names = new LinkedHashMap<>();
        for (Argument argument : arguments) {
            Object value = evaluate(argument.value(), scope);
            switch (argument.passing()) {
                case POSITION -> positions.add(value);
                case NAME -> name(names, argument.name(), value);
                case STAR -> positions.addAll(Values.elements(value));
                case STAR_STAR -> {
                    if (!(value instanceof DictValue dict)) {
                        throw new Failure("The argument provided for **kwargs is not a dictionary");
                    }
                    dict.keys().forEach(key -> {
                        if (!(key instanceof String name)) {
                            throw new Failure(
                                    "The keys of **kwargs must be strings, not `%s`".formatted(Values.type(key)));
                        }
                        name(names, name, dict.get(key).orElseThrow());
                    });
                }
            }
        }
        budget.allocate((long) positions.size() + names.size());
        return new Arguments(positions, names);
    }

    private static void name(Map<String, Object> names, String name, Object value) {
        if (names.put(name, value) != null) {
            throw new Failure("Argument `%s` occurs more than once".formatted(name));
        }
    }

    /** Adds the place to an error that has none. */
    private <T> T placed(Span span, java.util.function.Supplier<T> work) {
        try {
            return work.get();
        } catch (Failure failure) {
            throw new StarlarkException(failure.getMessage(), source, span, calls);
        }
    }
}
