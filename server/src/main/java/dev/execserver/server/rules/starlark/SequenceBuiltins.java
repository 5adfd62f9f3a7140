package dev.execserver.server.rules.starlark;

import static dev.execserver.server.rules.starlark.Builtin.Parameter.optional;
import static dev.execserver.server.rules.starlark.Builtin.Parameter.positional;
import static dev.execserver.server.rules.starlark.Builtin.Parameter.positionalOptional;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Functions on sequences. */
final class SequenceBuiltins {
    private SequenceBuiltins() {}

    static void add(Map<String, Object> values) {
        add(
                values,
                "all",
                List.of(positional("x", "")),
                (_, arguments) -> elements(arguments).stream().allMatch(Values::truth));
        add(
                values,
                "any",
                List.of(positional("x", "")),
                (_, arguments) -> elements(arguments).stream().anyMatch(Values::truth));
        add(values, "enumerate", List.of(positional("x", ""), optional("start", "int")), SequenceBuiltins::enumerate);
        add(values, "len", List.of(positional("x", "")), (_, arguments) -> BigInteger.valueOf(size(first(arguments))));
        add(
                values,
                "list",
                List.of(positionalOptional("x", "")),
                (interpreter, arguments) -> new ListValue(arguments
                        .getFirst()
                        .map(value -> Builtins.copy(interpreter, value))
                        .orElse(List.of())));
        add(
                values,
                "tuple",
                List.of(positionalOptional("x", "")),
                (interpreter, arguments) -> new TupleValue(arguments
                        .getFirst()
                        .map(value -> Builtins.copy(interpreter, value))
                        .orElse(List.of())));
        add(
                values,
                "range",
                List.of(
                        positional("start", "int"),
                        positionalOptional("stop", "int"),
                        positionalOptional("step", "int")),
                (_, arguments) -> range(arguments));
        add(values, "reversed", List.of(positional("x", "")), (interpreter, arguments) -> {
            List<Object> elements = Builtins.copy(interpreter, first(arguments));
            Collections.reverse(elements);
            return new ListValue(elements);
        });
        add(
                values,
                "sorted",
                List.of(positional("x", ""), optional("key", ""), optional("reverse", "bool")),
                SequenceBuiltins::sorted);
        values.put("dict", new Variadic("dict", SequenceBuiltins::dict));
        values.put("max", new Variadic("max", (interpreter, arguments) -> extreme(interpreter, arguments, "max", 1)));
        values.put("min", new Variadic("min", (interpreter, arguments) -> extreme(interpreter, arguments, "min", -1)));
        values.put("zip", new Variadic("zip", SequenceBuiltins::zip));
    }

    private static void add(
            Map<String, Object> values, String name, List<Builtin.Parameter> parameters, Builtin.Body body) {
        values.put(name, new Builtin(name, parameters, body));
    }

    /** Function that takes any number of arguments. */
    private record Variadic(String name, Body body) implements Callable {
        @FunctionalInterface
        interface Body {
            Object call(Interpreter interpreter, Arguments arguments);
        }

        @Override
        public Object call(Interpreter interpreter, Arguments arguments) {
            return body.call(interpreter, arguments);
        }
    }

    private static Object first(List<Optional<Object>> arguments) {
        return arguments.getFirst().orElseThrow();
    }

    private static List<Object> elements(List<Optional<Object>> arguments) {
        return Values.elements(first(arguments));
    }

    private static int size(Object value) {
        return switch (value) {
            case String text -> text.codePointCount(0, text.length());
            case BytesValue bytes -> bytes.size();
            default -> Values.elements(value).size();
        };
    }

    private static Object enumerate(Interpreter interpreter, List<Optional<Object>> arguments) {
        BigInteger number = (BigInteger) arguments.get(1).orElse(BigInteger.ZERO);
        List<Object> pairs = new ArrayList<>();
        for (Object element : Builtins.copy(interpreter, first(arguments))) {
            pairs.add(new TupleValue(List.of(number, element)));
            number = number.add(BigInteger.ONE);
        }
        return new ListValue(pairs);
    }

    private static Object range(List<Optional<Object>> arguments) {
        int one = Values.integer(first(arguments), "start");
        int step = arguments.get(2).map(value -> Values.integer(value, "step")).orElse(1);
        return arguments
                .get(1)
                .map(end -> RangeValue.of(one, Values.integer(end, "stop"), step))
                .orElseGet(() -> RangeValue.of(0, one, step));
    }

    private static Object sorted(Interpreter interpreter, List<Optional<Object>> arguments) {
        List<Object> elements = Builtins.copy(interpreter, first(arguments));
        boolean reverse = arguments.get(2).map(Boolean.class::cast).orElse(false);
        Comparator<Keyed> order = (one, two) -> {
            interpreter.budget().step();
            return Values.compare(one.key(), two.key());
        };
        return new ListValue(elements.stream()
                .map(element -> new Keyed(element, key(interpreter, arguments.get(1), element)))
                .sorted(reverse ? order.reversed() : order)
                .map(Keyed::value)
                .toList());
    }

    private record Keyed(Object value, Object key) {}

    private static Object key(Interpreter interpreter, Optional<Object> function, Object element) {
        return function.filter(value -> value != NoneValue.NONE)
                .map(value -> interpreter.call(value, Arguments.of(element)))
                .orElse(element);
    }

    private static Object dict(Interpreter interpreter, Arguments arguments) {
        DictValue dict = new DictValue();
        if (arguments.positions().size() > 1) {
            throw new Failure("Found `%d` extra positional argument(s) for call to dict"
                    .formatted(arguments.positions().size() - 1));
        }
        arguments.positions().forEach(pairs -> DictMethods.fill(interpreter, dict, pairs));
        interpreter.budget().allocate(arguments.names().size());
        arguments.names().forEach(dict::put);
        return dict;
    }

    /** @param sign 1 for the largest, -1 for the smallest */
    private static Object extreme(Interpreter interpreter, Arguments arguments, String name, int sign) {
        Optional<Object> key = Optional.ofNullable(arguments.names().get("key"));
        if (arguments.names().size() > (key.isPresent() ? 1 : 0)) {
            throw new Failure("Found an extra named parameter for call to %s, which knows `key`".formatted(name));
        }
        List<Object> elements = arguments.positions().size() == 1
                ? Values.elements(arguments.positions().getFirst())
                : arguments.positions();
        Optional<Keyed> best = Optional.empty();
        for (Object element : elements) {
            interpreter.budget().step();
            Keyed next = new Keyed(element, key(interpreter, key, element));
            if (best.isEmpty() || sign * Values.compare(next.key(), best.get().key()) > 0) {
                best = Optional.of(next);
            }
        }
        return best.map(Keyed::value)
                .orElseThrow(() ->
                        new Failure("Argument is an empty iterable, %s() expect a non empty iterable".formatted(name)));
    }

    private static Object zip(Interpreter interpreter, Arguments arguments) {
        List<List<Object>> sequences =
                arguments.positions().stream().map(Values::elements).toList();
        int size = sequences.stream().mapToInt(List::size).min().orElse(0);
        interpreter.budget().allocate((long) size * Math.max(sequences.size(), 1));
        List<Object> tuples = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int index = i;
            tuples.add(new TupleValue(
                    sequences.stream().map(sequence -> sequence.get(index)).toList()));
        }
        return new ListValue(tuples);
    }
}
