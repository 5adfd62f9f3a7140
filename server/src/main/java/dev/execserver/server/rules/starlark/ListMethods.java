package dev.execserver.server.rules.starlark;

import static dev.execserver.server.rules.starlark.Builtin.Parameter.positional;
import static dev.execserver.server.rules.starlark.Builtin.Parameter.positionalOptional;

import dev.execserver.server.rules.starlark.Methods.Method;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Methods of lists. */
final class ListMethods {
    static final Map<String, Method<ListValue>> ALL = Map.of(
            "append",
            Methods.of("append", List.of(positional("el", "")), (interpreter, self, arguments) -> {
                interpreter.budget().allocate(self.elements().size() / 8 + 1);
                Budget.requireRoom(self.elements().size() + 1);
                self.change().add(arguments.getFirst().orElseThrow());
                return NoneValue.NONE;
            }),
            "clear",
            Methods.of("clear", List.of(), (_, self, _) -> {
                self.change().clear();
                return NoneValue.NONE;
            }),
            "extend",
            Methods.of("extend", List.of(positional("other", "")), (interpreter, self, arguments) -> {
                List<Object> added =
                        List.copyOf(Values.elements(arguments.getFirst().orElseThrow()));
                interpreter.budget().allocate((long) self.elements().size() + added.size());
                self.change().addAll(added);
                return NoneValue.NONE;
            }),
            "index",
            Methods.of(
                    "index",
                    List.of(
                            positional("needle", ""),
                            positionalOptional("start", "int"),
                            positionalOptional("end", "int")),
                    (interpreter, self, arguments) -> {
                        interpreter.budget().compare(self.elements().size());
                        return index(self, arguments);
                    }),
            "insert",
            Methods.of(
                    "insert",
                    List.of(positional("index", "int"), positional("el", "")),
                    (interpreter, self, arguments) -> {
                        int size = self.elements().size();
                        Budget.requireRoom(size + 1);
                        interpreter.budget().allocate(size / 8 + 1);
                        int at = Values.integer(arguments.get(0).orElseThrow(), "index");
                        self.change()
                                .add(
                                        Math.clamp(at < 0 ? at + size : at, 0, size),
                                        arguments.get(1).orElseThrow());
                        return NoneValue.NONE;
                    }),
            "pop",
            Methods.of("pop", List.of(positionalOptional("index", "int")), (_, self, arguments) -> {
                int size = self.elements().size();
                int given = arguments
                        .getFirst()
                        .map(value -> Values.integer(value, "index"))
                        .orElse(size - 1);
                int at = given < 0 ? given + size : given;
                if (at < 0 || at >= size) {
                    throw new Failure("Index `%d` is out of bound".formatted(given));
                }
                return self.change().remove(at);
            }),
            "remove",
            Methods.of("remove", List.of(positional("needle", "")), (interpreter, self, arguments) -> {
                interpreter.budget().compare(self.elements().size());
                Object needle = arguments.getFirst().orElseThrow();
                self.change().remove(find(self, needle, 0, self.elements().size()));
                return NoneValue.NONE;
            }));

    private ListMethods() {}

    private static Object index(ListValue self, List<Optional<Object>> arguments) {
        int size = self.elements().size();
        int begin = bound(arguments.get(1), size, 0);
        int end = bound(arguments.get(2), size, size);
        return BigInteger.valueOf(find(self, arguments.getFirst().orElseThrow(), begin, end));
    }

    private static int bound(Optional<Object> given, int size, int absent) {
        int at = given.map(value -> Values.integer(value, "bound")).orElse(absent);
        return Math.clamp(at < 0 ? at + size : at, 0, size);
    }

    private static int find(ListValue self, Object needle, int begin, int end) {
        for (int i = begin; i < end; i++) {
            if (Values.equal(self.elements().get(i), needle)) {
                return i;
            }
        }
        throw new Failure("Element '%s' not found in '%s'".formatted(Repr.of(needle), Repr.of(self)));
    }
}
