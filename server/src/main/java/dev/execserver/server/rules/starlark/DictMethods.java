package dev.execserver.server.rules.starlark;

import static dev.execserver.server.rules.starlark.Builtin.Parameter.positional;
import static dev.execserver.server.rules.starlark.Builtin.Parameter.positionalOptional;

import dev.execserver.server.rules.starlark.Methods.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Methods of dicts. */
final class DictMethods {
    static final Map<String, Method<DictValue>> ALL = Map.of(
            "clear",
            Methods.of("clear", List.of(), (_, self, _) -> {
                self.clear();
                return NoneValue.NONE;
            }),
            "get",
            Methods.of(
                    "get",
                    List.of(positional("key", ""), positionalOptional("default", "")),
                    (_, self, arguments) -> self.get(arguments.get(0).orElseThrow())
                            .or(() -> arguments.get(1))
                            .orElse(NoneValue.NONE)),
            "items",
            Methods.of("items", List.of(), (interpreter, self, _) -> list(interpreter, self.items())),
            "keys",
            Methods.of("keys", List.of(), (interpreter, self, _) -> list(interpreter, self.keys())),
            "values",
            Methods.of("values", List.of(), (interpreter, self, _) -> list(interpreter, self.values())),
            "pop",
            Methods.of(
                    "pop", List.of(positional("key", ""), positionalOptional("default", "")), (_, self, arguments) -> {
                        Object key = arguments.get(0).orElseThrow();
                        return self.remove(key)
                                .or(() -> arguments.get(1))
                                .orElseThrow(() -> new Failure("Key `%s` was not found".formatted(Repr.of(key))));
                    }),
            "popitem",
            Methods.of("popitem", List.of(), (_, self, _) -> {
                if (self.size() == 0) {
                    throw new Failure("Cannot .popitem() on an empty dictionary");
                }
                TupleValue first = self.items().getFirst();
                self.remove(first.elements().getFirst());
                return first;
            }),
            "setdefault",
            Methods.of(
                    "setdefault",
                    List.of(positional("key", ""), positionalOptional("default", "")),
                    (interpreter, self, arguments) -> {
                        Object key = arguments.get(0).orElseThrow();
                        Optional<Object> present = self.get(key);
                        if (present.isEmpty()) {
                            put(interpreter, self, key, arguments.get(1).orElse(NoneValue.NONE));
                        }
                        return self.get(key).orElseThrow();
                    }),
            "update",
            DictMethods::update);

    private DictMethods() {}

    private static ListValue list(Interpreter interpreter, List<?> elements) {
        interpreter.budget().allocate(elements.size());
        return new ListValue(elements);
    }

    private static Object update(Interpreter interpreter, DictValue self, Arguments arguments) {
        if (arguments.positions().size() > 1) {
            throw new Failure("Found `%d` extra positional argument(s) for call to update"
                    .formatted(arguments.positions().size() - 1));
        }
        arguments.positions().forEach(pairs -> fill(interpreter, self, pairs));
        arguments.names().forEach((name, value) -> put(interpreter, self, name, value));
        return NoneValue.NONE;
    }

    /** Puts the entries of a dict, or pairs, into a dict. */
    static void fill(Interpreter interpreter, DictValue dict, Object pairs) {
        if (pairs instanceof DictValue other) {
            List.copyOf(other.items())
                    .forEach(item -> put(
                            interpreter,
                            dict,
                            item.elements().get(0),
                            item.elements().get(1)));
            return;
        }
        for (Object pair : List.copyOf(Values.elements(pairs))) {
            List<Object> elements = Values.elements(pair);
            if (elements.size() != 2) {
                throw new Failure(
                        "Found a non-pair element in the positional argument of dict(): %s".formatted(Repr.of(pair)));
            }
            put(interpreter, dict, elements.get(0), elements.get(1));
        }
    }

    private static void put(Interpreter interpreter, DictValue dict, Object key, Object value) {
        Budget.requireRoom(dict.size() + 1L);
        interpreter.budget().allocate(1);
        dict.put(key, value);
    }
}
