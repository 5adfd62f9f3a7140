package dev.execserver.server.rules.starlark;

import static dev.execserver.server.rules.starlark.Builtin.Parameter.positional;
import static dev.execserver.server.rules.starlark.Builtin.Parameter.positionalOptional;

import dev.execserver.server.rules.starlark.Methods.Method;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** Methods of strings. Splitting is in {@link Splitting}. */
final class StringMethods {
    static final Map<String, Method<String>> ALL = all();

    private StringMethods() {}

    private static Map<String, Method<String>> all() {
        Map<String, Method<String>> methods = new HashMap<>(Splitting.ALL);
        plain(
                methods,
                "capitalize",
                self -> self.isEmpty()
                        ? self
                        : title(self.substring(0, self.offsetByCodePoints(0, 1)))
                                + lower(self.substring(self.offsetByCodePoints(0, 1))));
        plain(methods, "elems", self -> characters(self));
        plain(
                methods,
                "codepoints",
                self -> new ListValue(
                        self.codePoints().mapToObj(BigInteger::valueOf).toList()));
        plain(methods, "isalnum", self -> all(self, Character::isLetterOrDigit));
        plain(methods, "isalpha", self -> all(self, Character::isLetter));
        plain(methods, "isdigit", self -> all(self, Character::isDigit));
        plain(methods, "isspace", self -> all(self, StringMethods::blank));
        plain(methods, "islower", self -> cased(self) && self.equals(lower(self)));
        plain(methods, "isupper", self -> cased(self) && self.equals(upper(self)));
        plain(methods, "istitle", self -> cased(self) && self.equals(titled(self)));
        plain(methods, "lower", StringMethods::lower);
        plain(methods, "upper", StringMethods::upper);
        plain(methods, "title", StringMethods::titled);
        stripping(methods, "strip", true, true);
        stripping(methods, "lstrip", true, false);
        stripping(methods, "rstrip", false, true);
        Searching.add(methods);
        methods.put("format", (interpreter, self, arguments) -> Formats.braces(interpreter.budget(), self, arguments));
        methods.put("join", Methods.of("join", List.of(positional("to_join", "")), StringMethods::join));
        methods.put(
                "removeprefix",
                Methods.of(
                        "removeprefix",
                        List.of(positional("prefix", "str")),
                        (_, self, arguments) -> self.startsWith(text(arguments, 0))
                                ? self.substring(text(arguments, 0).length())
                                : self));
        methods.put(
                "removesuffix",
                Methods.of(
                        "removesuffix",
                        List.of(positional("suffix", "str")),
                        (_, self, arguments) -> self.endsWith(text(arguments, 0))
                                ? self.substring(
                                        0, self.length() - text(arguments, 0).length())
                                : self));
        methods.put(
                "replace",
                Methods.of(
                        "replace",
                        List.of(positional("old", "str"), positional("new", "str"), positionalOptional("count", "int")),
                        StringMethods::replace));
        return Map.copyOf(methods);
    }

    private static void plain(Map<String, Method<String>> methods, String name, Function<String, Object> body) {
        methods.put(name, Methods.of(name, List.of(), (interpreter, self, _) -> {
            interpreter.budget().allocate(self.length());
            return body.apply(self);
        }));
    }

    private static void stripping(Map<String, Method<String>> methods, String name, boolean begin, boolean end) {
        methods.put(
                name, Methods.of(name, List.of(positionalOptional("chars", "str")), (interpreter, self, arguments) -> {
                    Optional<String> given = arguments.getFirst().map(String.class::cast);
                    IntPredicate stripped = given.<IntPredicate>map(set -> stripped(interpreter.budget(), set))
                            .orElse(StringMethods::blank);
                    int[] characters = self.codePoints().toArray();
                    int from = 0;
                    int to = characters.length;
                    while (begin && from < to && stripped.test(characters[from])) {
                        from++;
                    }
                    while (end && from < to && stripped.test(characters[to - 1])) {
                        to--;
                    }
                    return new String(characters, from, to - from);
                }));
    }

    private static IntPredicate stripped(Budget budget, String set) {
        budget.goThrough(set.length());
        Set<Integer> characters = set.codePoints().boxed().collect(Collectors.toSet());
        return characters::contains;
    }

    static String text(List<Optional<Object>> arguments, int index) {
        return (String) arguments.get(index).orElseThrow();
    }

    static ListValue characters(String text) {
        return new ListValue(text.codePoints().mapToObj(Character::toString).toList());
    }

    static boolean blank(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static Object join(Interpreter interpreter, String self, List<Optional<Object>> arguments) {
        List<Object> elements = Values.elements(arguments.getFirst().orElseThrow());
        long size = 0;
        for (Object element : elements) {
            if (!(element instanceof String part)) {
                throw new Failure("Expected type `str` but got `%s` in join".formatted(Values.type(element)));
            }
            size += part.length() + self.length();
        }
        interpreter.budget().allocate(size);
        return elements.stream().map(String.class::cast).collect(Collectors.joining(self));
    }

    private static Object replace(Interpreter interpreter, String self, List<Optional<Object>> arguments) {
        String old = text(arguments, 0);
        String replacement = text(arguments, 1);
        int limit =
                arguments.get(2).map(value -> Values.integer(value, "count")).orElse(Integer.MAX_VALUE);
        if (limit < 0) {
            throw new Failure("Replace final argument was negative '%d'".formatted(limit));
        }
        // Every place could be replaced: this bound is checked before anything is made.
        interpreter
                .budget()
                .allocate(self.length() + (self.length() / Math.max(old.length(), 1) + 1L) * replacement.length());
        StringBuilder result = new StringBuilder();
        int at = 0;
        for (int count = 0; count < limit && at <= self.length(); count++) {
            int found = TextSearch.indexOf(self, old, old.isEmpty() && count > 0 ? at + 1 : at);
            if (found < 0 || found > self.length() || old.isEmpty() && count > self.length()) {
                break;
            }
            result.append(self, at, found).append(replacement);
            at = found + old.length();
        }
        return result.append(self.substring(Math.min(at, self.length()))).toString();
    }

    private static boolean all(String text, IntPredicate test) {
        return !text.isEmpty() && text.codePoints().allMatch(test);
    }

    private static boolean cased(String text) {
        return text.codePoints().anyMatch(c -> Character.isUpperCase(c) || Character.isLowerCase(c));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    private static String title(String character) {
        return Character.toString(Character.toTitleCase(character.codePointAt(0)));
    }

    private static String titled(String text) {
        StringBuilder titled = new StringBuilder();
        boolean inWord = false;
        for (int c : text.codePoints().toArray()) {
            titled.appendCodePoint(inWord ? Character.toLowerCase(c) : Character.toTitleCase(c));
            inWord = Character.isLetter(c);
        }
        return titled.toString();
    }
}
