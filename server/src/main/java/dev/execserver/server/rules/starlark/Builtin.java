package dev.execserver.server.rules.starlark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Function that is written in Java. Its parameters can be passed by position or by name. */
public final class Builtin implements Callable {
    /** Functions that do not go through the elements of their arguments. */
    private static final Set<String> AT_ONCE = Set.of(
            "len", "type", "bool", "hasattr", "getattr", "append", "insert", "get", "setdefault", "index", "remove");

    private final String name;
    private final List<Parameter> parameters;
    private final Body body;

    /** Body of the function; it gets one argument for each parameter. */
    @FunctionalInterface
    public interface Body {
        Object call(Interpreter interpreter, List<Optional<Object>> arguments);
    }

    /**
     * Parameter of a function.
     *
     * @param type as errors tell it, or empty if any will do
     * @param required false if the call may leave it out
     * @param byName true if a name can pass it
     */
    public record Parameter(String name, String type, boolean required, boolean byName) {
        /** Returns a parameter that has to be passed. */
        public static Parameter required(String name, String type) {
            return new Parameter(name, type, true, true);
        }

        /** Returns a parameter that may be left out. */
        public static Parameter optional(String name, String type) {
            return new Parameter(name, type, false, true);
        }

        static Parameter positional(String name, String type) {
            return new Parameter(name, type, true, false);
        }

        static Parameter positionalOptional(String name, String type) {
            return new Parameter(name, type, false, false);
        }
    }

    public Builtin(String name, List<Parameter> parameters, Body body) {
        this.name = name;
        this.parameters = List.copyOf(parameters);
        this.body = body;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Object call(Interpreter interpreter, Arguments arguments) {
        List<Object> positions = arguments.positions();
        if (positions.size() > parameters.size()) {
            throw new Failure("Found `%d` extra positional argument(s) for call to %s"
                    .formatted(positions.size() - parameters.size(), name));
        }
        List<String> unknown = arguments.names().keySet().stream()
                .filter(given -> parameters.stream()
                        .noneMatch(known -> known.byName() && known.name().equals(given)))
                .toList();
        if (!unknown.isEmpty()) {
            throw new Failure(
                    "Found `%s` extra named parameter(s) for call to %s".formatted(String.join("` `", unknown), name));
        }
        List<Optional<Object>> values = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            values.add(value(i, positions, arguments.names()));
        }
        if (!AT_ONCE.contains(name)) {
            values.forEach(
                    value -> value.ifPresent(given -> interpreter.budget().goThrough(Values.length(given))));
        }
        return body.call(interpreter, values);
    }

    private Optional<Object> value(int index, List<Object> positions, Map<String, Object> names) {
        Parameter parameter = parameters.get(index);
        boolean positional = index < positions.size();
        if (positional && names.containsKey(parameter.name())) {
            throw new Failure("Argument `%s` occurs more than once".formatted(parameter.name()));
        }
        Object value = positional ? positions.get(index) : names.get(parameter.name());
        if (value == null) {
            if (parameter.required()) {
                throw new Failure("Missing %sparameter `%s` for call to `%s`"
                        .formatted(parameter.byName() ? "" : "positional ", parameter.name(), name));
            }
            return Optional.empty();
        }
        if (!parameter.type().isEmpty() && !TypeSpec.named(parameter.type()).matches(value)) {
            throw new Failure("Type of parameter `%s` doesn't match, expected `%s`, actual `%s (repr: %s)`"
                    .formatted(parameter.name(), parameter.type(), Values.type(value), Repr.of(value)));
        }
        return Optional.of(value);
    }
}
