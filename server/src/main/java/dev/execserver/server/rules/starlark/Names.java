package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.Expression.Clause;
import dev.execserver.server.rules.starlark.FunctionCode.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks before a run that every name is known, in functions that are never called too. */
final class Names {
    /** Names that differ by more edits are not suggested. */
    private static final int MAX_EDITS = 2;

    private final SourceText source;

    /** Known names, the innermost scope first. */
    private final List<Set<String>> scopes;

    private Names(SourceText source, List<Set<String>> scopes) {
        this.source = source;
        this.scopes = scopes;
    }

    static void check(SourceText source, List<Statement> statements, Set<String> file, Set<String> builtins) {
        new Names(source, List.of(file, builtins)).check(statements);
    }

    private Names inner(Set<String> names) {
        List<Set<String>> inner = new ArrayList<>(List.of(names));
        inner.addAll(scopes);
        return new Names(source, inner);
    }

    private void check(List<Statement> statements) {
        statements.forEach(this::check);
    }

    private void check(Statement statement) {
        switch (statement) {
            case Statement.Evaluate(Expression expression, Span _) -> check(expression);
            case Statement.Assign assign -> {
                assign.type().ifPresent(this::check);
                check(assign.value());
                check(assign.target());
            }
            case Statement.Update update -> {
                check(update.value());
                check(update.target());
            }
            case Statement.If branch -> {
                check(branch.test());
                check(branch.then());
                check(branch.otherwise());
            }
            case Statement.For loop -> {
                check(loop.over());
                check(loop.target());
                check(loop.body());
            }
            case Statement.Define(FunctionCode code, Span _) -> check(code);
            case Statement.Return(Optional<Expression> value, Span _) -> value.ifPresent(this::check);
            case Statement.Load(String module, Span span) ->
                throw new StarlarkException(
                        "No imports are available, you tried `%s` (no call to `Evaluator.set_loader`)"
                                .formatted(module),
                        source,
                        span);
            case Statement.Break _, Statement.Continue _, Statement.Pass _ -> {}
        }
    }

    private void check(FunctionCode code) {
        for (Parameter parameter : code.parameters()) {
            parameter.type().ifPresent(this::check);
            parameter.defaultValue().ifPresent(this::check);
        }
        code.result().ifPresent(this::check);
        inner(code.locals()).check(code.body());
    }

    private void check(Expression expression) {
        switch (expression) {
            case Expression.Literal _ -> {}
            case Expression.Name(String name, Span span) -> require(name, span);
            case Expression.Formatted(List<Expression> parts, Span _) -> parts.forEach(this::check);
            case Expression.ListOf(List<Expression> elements, Span _) -> elements.forEach(this::check);
            case Expression.TupleOf(List<Expression> elements, Span _) -> elements.forEach(this::check);
            case Expression.DictOf(List<Expression.Entry> entries, Span _) ->
                entries.forEach(entry -> {
                    check(entry.key());
                    check(entry.value());
                });
            case Expression.Comprehension comprehension -> check(comprehension);
            case Expression.Unary(String _, Expression operand, Span _) -> check(operand);
            case Expression.Binary(String _, Expression left, Expression right, Span _) -> checkAll(left, right);
            case Expression.Logical(boolean _, Expression left, Expression right, Span _) -> checkAll(left, right);
            case Expression.Conditional(Expression test, Expression then, Expression otherwise, Span _) ->
                checkAll(test, then, otherwise);
            case Expression.Index(Expression of, Expression index, Span _) -> checkAll(of, index);
            case Expression.Slice slice -> {
                check(slice.of());
                slice.from().ifPresent(this::check);
                slice.to().ifPresent(this::check);
                slice.step().ifPresent(this::check);
            }
            case Expression.Attribute(Expression of, String _, Span _) -> check(of);
            case Expression.Call call -> {
                check(call.function());
                call.arguments().forEach(argument -> check(argument.value()));
            }
            case Expression.Lambda(FunctionCode code, Span _) -> check(code);
        }
    }

    private void checkAll(Expression... expressions) {
        List.of(expressions).forEach(this::check);
    }

    private void check(Expression.Comprehension comprehension) {
        Set<String> names = new HashSet<>();
        for (Clause clause : comprehension.clauses()) {
            if (clause instanceof Expression.Loop(Expression target, Expression _)) {
                names.addAll(Bindings.ofTarget(target));
            }
        }
        Names inner = inner(names);
        boolean first = true;
        for (Clause clause : comprehension.clauses()) {
            switch (clause) {
                case Expression.Loop(Expression target, Expression over) -> {
                    (first ? this : inner).check(over);
                    inner.check(target);
                }
                case Expression.Condition(Expression test) -> inner.check(test);
            }
            first = false;
        }
        comprehension.key().ifPresent(inner::check);
        inner.check(comprehension.value());
    }

    private void require(String name, Span span) {
        if (scopes.stream().noneMatch(scope -> scope.contains(name))) {
            String suggestion = scopes.stream()
                    .flatMap(Set::stream)
                    .filter(known -> edits(name, known) <= MAX_EDITS)
                    .min(java.util.Comparator.comparingInt(known -> edits(name, known)))
                    .map(known -> ", did you mean `" + known + "`?")
                    .orElse("");
            throw new StarlarkException("Variable `%s` not found%s".formatted(name, suggestion), source, span);
        }
    }

    /** Returns how many characters must be put in, taken out or changed (Levenshtein). */
    private static int edits(String one, String two) {
        int[] row = new int[two.length() + 1];
        for (int j = 0; j <= two.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= two.length(); j++) {
                int changed = diagonal + (one.charAt(i - 1) == two.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[two.length()];
    }
}
