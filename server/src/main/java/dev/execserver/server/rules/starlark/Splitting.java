package dev.execserver.server.rules.starlark;

import static dev.execserver.server.rules.starlark.Builtin.Parameter.positional;
import static dev.execserver.server.rules.starlark.Builtin.Parameter.positionalOptional;

import dev.execserver.server.rules.starlark.Methods.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Methods that cut strings into pieces. */
final class Splitting {
    private static final List<Builtin.Parameter> PARAMETERS =
            List.of(positionalOptional("sep", ""), positionalOptional("maxsplit", "int"));

    static final Map<String, Method<String>> ALL = Map.of(
            "split",
                    Methods.of(
                            "split",
                            PARAMETERS,
                            (interpreter, self, arguments) -> split(interpreter, self, arguments, false)),
            "rsplit",
                    Methods.of(
                            "rsplit",
                            PARAMETERS,
                            (interpreter, self, arguments) -> split(interpreter, self, arguments, true)),
            "splitlines",
                    Methods.of(
                            "splitlines",
                            List.of(positionalOptional("keepends", "bool")),
                            (interpreter, self, arguments) -> lines(
                                    interpreter,
                                    self,
                                    arguments
                                            .getFirst()
                                            .map(Boolean.class::cast)
                                            .orElse(false))),
            "partition",
                    Methods.of(
                            "partition",
                            List.of(positional("needle", "str")),
                            (_, self, arguments) -> partition(self, StringMethods.text(arguments, 0), false)),
            "rpartition",
                    Methods.of(
                            "rpartition",
                            List.of(positional("needle", "str")),
                            (_, self, arguments) -> partition(self, StringMethods.text(arguments, 0), true)));

    private Splitting() {}

    private static Object split(Interpreter interpreter, String self, List<Optional<Object>> arguments, boolean right) {
        interpreter.budget().allocate(self.length() + 1L);
        int limit =
                arguments.get(1).map(value -> Values.integer(value, "maxsplit")).orElse(-1);
        int most = limit < 0 ? Integer.MAX_VALUE : limit;
        Optional<Object> separator = arguments.get(0).filter(value -> value != NoneValue.NONE);
        if (separator.isEmpty()) {
            return new ListValue(right ? byBlanksFromRight(self, most) : byBlanks(self, most));
        }
        if (!(separator.get() instanceof String text) || text.isEmpty()) {
            throw new Failure("Cannot split by an empty separator or one that is no string");
        }
        return new ListValue(right ? byTextFromRight(self, text, most) : byText(self, text, most));
    }

    private static List<String> byText(String self, String separator, int most) {
        List<String> pieces = new ArrayList<>();
        int at = 0;
        int found = self.indexOf(separator);
        while (found >= 0 && pieces.size() < most) {
            pieces.add(self.substring(at, found));
            at = found + separator.length();
            found = self.indexOf(separator, at);
        }
        pieces.add(self.substring(at));
        return pieces;
    }

    private static List<String> byTextFromRight(String self, String separator, int most) {
        List<String> pieces = new ArrayList<>();
        int end = self.length();
        int found = self.lastIndexOf(separator);
        while (found >= 0 && pieces.size() < most) {
            pieces.add(self.substring(found + separator.length(), end));
            end = found;
            found = end < separator.length() ? -1 : self.lastIndexOf(separator, end - separator.length());
        }
        pieces.add(self.substring(0, end));
        Collections.reverse(pieces);
        return pieces;
    }

    private static List<String> byBlanks(String self, int most) {
        List<String> pieces = new ArrayList<>();
        String rest = self.stripLeading();
        while (!rest.isEmpty()) {
            int end = pieces.size() < most ? firstBlank(rest) : rest.length();
            pieces.add(rest.substring(0, end));
            rest = rest.substring(end).stripLeading();
        }
        return pieces;
    }

    private static int firstBlank(String text) {
        int at = 0;
        while (at < text.length() && !StringMethods.blank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static List<String> byBlanksFromRight(String self, int most) {
        List<String> pieces = new ArrayList<>();
        String rest = self.stripTrailing();
        while (!rest.isEmpty()) {
            int begin = rest.length();
            while (begin > 0 && (pieces.size() >= most || !StringMethods.blank(rest.charAt(begin - 1)))) {
                begin--;
            }
            pieces.add(rest.substring(begin));
            rest = rest.substring(0, begin).stripTrailing();
        }
        Collections.reverse(pieces);
        return pieces;
    }

    private static Object lines(Interpreter interpreter, String self, boolean keep) {
        interpreter.budget().allocate(self.length());
        List<String> lines = new ArrayList<>();
        int at = 0;
        while (at < self.length()) {
            int end = at;
            while (end < self.length() && self.charAt(end) != '\n' && self.charAt(end) != '\r') {
                end++;
            }
            int next = self.startsWith("\r\n", end) ? end + 2 : Math.min(end + 1, self.length());
            lines.add(self.substring(at, keep ? next : end));
            at = next;
        }
        return new ListValue(lines);
    }

    private static Object partition(String self, String needle, boolean last) {
        if (needle.isEmpty()) {
            throw new Failure("Empty separator cannot be used for partitioning");
        }
        int found = last ? self.lastIndexOf(needle) : self.indexOf(needle);
        if (found < 0) {
            return new TupleValue(last ? List.of("", "", self) : List.of(self, "", ""));
        }
        return new TupleValue(List.of(self.substring(0, found), needle, self.substring(found + needle.length())));
    }
}
