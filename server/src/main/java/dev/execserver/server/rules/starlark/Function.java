package dev.execserver.server.rules.starlark;

import dev.execserver.server.rules.starlark.FunctionCode.Kind;
import dev.execserver.server.rules.starlark.FunctionCode.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Function that a program defines.
 *
 * @param types of the parameters, one for each; empty without annotation
 * @param defaults one for each parameter
 * @param scope in which it was defined
 */
record Function(
        FunctionCode code,
        List<Optional<TypeSpec>> types,
        Optional<TypeSpec> result,
        List<Optional<Object>> defaults,
        Scope scope)
        implements Callable {
    @Override
    public String name() {
        return code.name();
    }

    @Override
    public Object call(Interpreter interpreter, Arguments arguments) {
        Scope inner = scope.inner(code.locals());
        bind(inner, arguments);
        Object value = interpreter.run(code.body(), inner, code.name());
        if (result.isPresent() && !result.get().matches(value)) {
            throw new Failure("Value `%s` of type `%s` does not match the type annotation `%s` for return type"
                    .formatted(Repr.of(value), Values.type(value), result.get()));
        }
        return value;
    }

    private void bind(Scope inner, Arguments arguments) {
        List<Object> positions = arguments.positions();
        Map<String, Object> names = new LinkedHashMap<>(arguments.names());
        int taken = 0;
        boolean rest = false;
        for (int i = 0; i < code.parameters().size(); i++) {
            Parameter parameter = code.parameters().get(i);
            switch (parameter.kind()) {
                case ORDINARY -> {
                    boolean positional = !parameter.byName() && taken < positions.size();
                    Object value = positional ? positions.get(taken) : names.remove(parameter.name());
                    if (positional && names.containsKey(parameter.name())) {
                        throw new Failure("Argument `%s` occurs more than once".formatted(parameter.name()));
                    }
                    taken += positional ? 1 : 0;
                    bind(inner, i, value == null ? defaultValue(i) : value);
                }
                case REST -> {
                    bind(inner, i, new TupleValue(new ArrayList<>(positions.subList(taken, positions.size()))));
                    rest = true;
                }
                case MARK -> {}
                case NAMES -> {
                    DictValue others = new DictValue();
                    names.forEach(others::put);
                    names.clear();
                    bind(inner, i, others);
                }
            }
        }
        if (!rest && taken < positions.size()) {
            throw new Failure("Found `%d` extra positional argument(s) for call to %s"
                    .formatted(positions.size() - taken, name()));
        }
        if (!names.isEmpty()) {
            throw new Failure("Found `%s` extra named parameter(s) for call to %s"
                    .formatted(String.join("` `", names.keySet()), name()));
        }
    }

    private Object defaultValue(int index) {
        return defaults.get(index)
                .orElseThrow(() -> new Failure("Missing parameter `%s` for call to `%s`"
                        .formatted(code.parameters().get(index).name(), name())));
    }

    private void bind(Scope inner, int index, Object value) {
        Parameter parameter = code.parameters().get(index);
        Optional<TypeSpec> type = types.get(index);
        if (type.isPresent() && parameter.kind() == Kind.ORDINARY && !type.get().matches(value)) {
            throw new Failure("Value `%s` of type `%s` does not match the type annotation `%s` for argument `%s`"
                    .formatted(Repr.of(value), Values.type(value), type.get(), parameter.name()));
        }
        inner.set(parameter.name(), value);
    }

    /** Two functions are equal if they are the same one. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
