package dev.execserver.server.rules.starlark;

import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Methods of values, by the type of the value. */
final class Methods {
    private Methods() {}

    /** Body of a method; it gets the value that the method belongs to. */
    @FunctionalInterface
    interface Method<T> {
        Object call(Interpreter interpreter, T self, Arguments arguments);
    }

    /** Method of one value, as the program gets it. */
    private record Bound<T>(String name, T self, Method<T> method) implements Callable {
        @Override
        public Object call(Interpreter interpreter, Arguments arguments) {
            if (self instanceof String text) {
                interpreter.budget().goThrough(text.length());
            }
            return method.call(interpreter, self, arguments);
        }
    }

    static Object required(Object value, String name) {
        return find(value, name)
                .orElseThrow(() ->
                        new Failure("Object of type `%s` has no attribute `%s`".formatted(Values.type(value), name)));
    }

    static Optional<Object> find(Object value, String name) {
        return switch (value) {
            case String text -> bound(StringMethods.ALL, text, name);
            case ListValue list -> bound(ListMethods.ALL, list, name);
            case DictValue dict -> bound(DictMethods.ALL, dict, name);
            default -> Optional.empty();
        };
    }

    /** Returns the names of a value's methods, in the order of the alphabet. */
    static SortedSet<String> names(Object value) {
        return new TreeSet<>(
                switch (value) {
                    case String _ -> StringMethods.ALL.keySet();
                    case ListValue _ -> ListMethods.ALL.keySet();
                    case DictValue _ -> DictMethods.ALL.keySet();
                    default -> java.util.Set.<String>of();
                });
    }

    private static <T> Optional<Object> bound(Map<String, Method<T>> methods, T self, String name) {
        return Optional.ofNullable(methods.get(name)).map(method -> new Bound<>(name, self, method));
    }

    /** Makes a method out of a builtin function whose first parameter is the value. */
    static <T> Method<T> of(String name, java.util.List<Builtin.Parameter> parameters, SelfBody<T> body) {
        return (interpreter, self, arguments) -> new Builtin(
                        name, parameters, (inner, values) -> body.call(inner, self, values))
                .call(interpreter, arguments);
    }

    /** Body of a method, with one value for each parameter. */
    @FunctionalInterface
    interface SelfBody<T> {
        Object call(Interpreter interpreter, T self, java.util.List<Optional<Object>> arguments);
    }
}
