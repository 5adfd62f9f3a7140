package dev.execserver.server.rules.starlark;

import static dev.execserver.server.rules.starlark.Builtin.Parameter.positional;
import static dev.execserver.server.rules.starlark.Builtin.Parameter.positionalOptional;

import dev.execserver.server.rules.starlark.Methods.Method;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Methods of strings that look for a part. Places are counted in code points. */
final class Searching {
    private static final List<Builtin.Parameter> PARAMETERS =
            List.of(positional("needle", "str"), positionalOptional("start", ""), positionalOptional("end", ""));

    private Searching() {}

    static void add(Map<String, Method<String>> methods) {
        methods.put("count", Methods.of("count", PARAMETERS, (_, self, arguments) -> count(self, arguments)));
        finding(methods, "find", false, false);
        finding(methods, "rfind", true, false);
        finding(methods, "index", false, true);
        finding(methods, "rindex", true, true);
        testing(methods, "startswith", String::startsWith);
        testing(methods, "endswith", String::endsWith);
    }

    private static void finding(Map<String, Method<String>> methods, String name, boolean last, boolean required) {
        methods.put(name, Methods.of(name, PARAMETERS, (_, self, arguments) -> {
            String needle = StringMethods.text(arguments, 0);
            Part part = Part.of(self, arguments);
            int found = last
                    ? TextSearch.lastIndexOf(part.text(), needle, part.text().length())
                    : TextSearch.indexOf(part.text(), needle, 0);
            if (found < 0 && required) {
                throw new Failure("Substring '%s' not found in '%s'".formatted(needle, self));
            }
            return BigInteger.valueOf(
                    found < 0 ? -1 : part.begin() + part.text().codePointCount(0, found));
        }));
    }

    private static void testing(Map<String, Method<String>> methods, String name, BiPredicate<String, String> test) {
        methods.put(name, Methods.of(name, List.of(positional("part", "")), (interpreter, self, arguments) -> {
            Object part = arguments.getFirst().orElseThrow();
            List<Object> choices = part instanceof TupleValue tuple ? tuple.elements() : List.of(part);
            return choices.stream().anyMatch(choice -> {
                if (!(choice instanceof String text)) {
                    throw new Failure("Type of parameter `%s` doesn't match, expected `str`, actual `%s`"
                            .formatted(name, Values.type(choice)));
                }
                interpreter.budget().goThrough(text.length());
                return test.test(self, text);
            });
        }));
    }

    private static Object count(String self, List<Optional<Object>> arguments) {
        String needle = StringMethods.text(arguments, 0);
        String text = Part.of(self, arguments).text();
        if (needle.isEmpty()) {
            return BigInteger.valueOf(text.codePointCount(0, text.length()) + 1L);
        }
        int count = 0;
        int at = TextSearch.indexOf(text, needle, 0);
        while (at >= 0) {
            count++;
            at = TextSearch.indexOf(text, needle, at + needle.length());
        }
        return BigInteger.valueOf(count);
    }

    /**
     * Part of a string in which is looked.
     *
     * @param begin in code points
     */
    private record Part(String text, int begin) {
        static Part of(String self, List<Optional<Object>> arguments) {
            int size = self.codePointCount(0, self.length());
            int begin = bound(arguments.get(1), size, 0);
            int end = Math.max(bound(arguments.get(2), size, size), begin);
            return new Part(self.substring(self.offsetByCodePoints(0, begin), self.offsetByCodePoints(0, end)), begin);
        }

        private static int bound(Optional<Object> given, int size, int absent) {
            int at = given.filter(value -> value != NoneValue.NONE)
                    .map(value -> Values.integer(value, "bound"))
                    .orElse(absent);
            return Math.clamp(at < 0 ? at + size : at, 0, size);
        }
    }
}
