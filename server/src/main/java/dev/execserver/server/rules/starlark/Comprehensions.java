package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.Expression.Clause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Evaluates lists and dicts that are computed by loops. Their variables are seen only inside. */
final class Comprehensions {
    private final Interpreter interpreter;

    Comprehensions(Interpreter interpreter) {
        this.interpreter = interpreter;
    }

    Object evaluate(Expression.Comprehension comprehension, Scope outer) {
        Set<String> names = new HashSet<>();
        for (Clause clause : comprehension.clauses()) {
            if (clause instanceof Expression.Loop(Expression target, Expression _)) {
                names.addAll(Bindings.ofTarget(target));
            }
        }
        Scope inner = outer.inner(names);
        if (comprehension.key().isPresent()) {
            DictValue dict = new DictValue();
            run(comprehension, 0, outer, inner, () -> {
                Budget.requireRoom(dict.size() + 1L);
                interpreter.budget().allocate(1);
                Object key = interpreter.evaluate(comprehension.key().get(), inner);
                dict.put(key, interpreter.evaluate(comprehension.value(), inner));
            });
            return dict;
        }
        List<Object> elements = new ArrayList<>();
        run(comprehension, 0, outer, inner, () -> {
            Budget.requireRoom(elements.size() + 1L);
            interpreter.budget().allocate(1);
            elements.add(interpreter.evaluate(comprehension.value(), inner));
        });
        return new ListValue(elements);
    }

    /** The first loop runs over a value of the outer scope. */
    private void run(Expression.Comprehension comprehension, int index, Scope outer, Scope inner, Runnable body) {
        if (index == comprehension.clauses().size()) {
            body.run();
            return;
        }
        switch (comprehension.clauses().get(index)) {
            case Expression.Condition(Expression test) -> {
                if (Values.truth(interpreter.evaluate(test, inner))) {
                    run(comprehension, index + 1, outer, inner, body);
                }
            }
            case Expression.Loop(Expression target, Expression over) -> {
                Object value = interpreter.evaluate(over, index == 0 ? outer : inner);
                Iteration.over(value, elements -> {
                    for (Object element : elements) {
                        interpreter.budget().step();
                        interpreter.assign(target, element, inner);
                        run(comprehension, index + 1, outer, inner, body);
                    }
                    return NoneValue.NONE;
                });
            }
        }
    }
}
