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
        int found = TextSearch.indexOf(self, separator, 0);
        while (found >= 0 && pieces.size() < most) {
            pieces.add(self.substring(at, found));
            at = found + separator.length();
            found = TextSearch.indexOf(self, separator, at);
        }
        pieces.add(self.substring(at));
        return pieces;
    }

    private static List<String> byTextFromRight(String self, String separator, int most) {
        List<String> pieces = new ArrayList<>();
        int end = self.length();
        int found = TextSearch.lastIndexOf(self, separator, self.length());
        while (found >= 0 && pieces.size() < most) {
            pieces.add(self.substring(found + separator.length(), end));
            end = found;
            found = end < separator.length() ? -1 : TextSearch.lastIndexOf(self, separator, end - separator.length());
        }
        pieces.add(self.substring(0, end));
        Collections.reverse(pieces);
        return pieces;
    }

    private static List<String> byBlanks(String self, int most) {
        List<String> pieces = new ArrayList<>();
        int at = behindBlanks(self, 0);
        while (at < self.length()) {
            int end = self.length();
            if (pieces.size() < most) {
                end = at;
                while (end < self.length() && !StringMethods.blank(self.charAt(end))) {
                    end++;
                }
            }
            pieces.add(self.substring(at, end));
            at = behindBlanks(self, end);
        }
        return pieces;
    }

    private static int behindBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && StringMethods.blank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static List<String> byBlanksFromRight(String self, int most) {
        List<String> pieces = new ArrayList<>();
        int end = beforeBlanks(self, self.length());
        while (end > 0) {
            int begin = pieces.size() < most ? end : 0;
            while (begin > 0 && !StringMethods.blank(self.charAt(begin - 1))) {
                begin--;
            }
            pieces.add(self.substring(begin, end));
            end = beforeBlanks(self, begin);
        }
        Collections.reverse(pieces);
        return pieces;
    }

    private static int beforeBlanks(String text, int from) {
        int at = from;
        while (at > 0 && StringMethods.blank(text.charAt(at - 1))) {
            at--;
        }
        return at;
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
        int found = last ? TextSearch.lastIndexOf(self, needle, self.length()) : TextSearch.indexOf(self, needle, 0);
        if (found < 0) {
            return new TupleValue(last ? List.of("", "", self) : List.of(self, "", ""));
        }
        return new TupleValue(List.of(self.substring(0, found), needle, self.substring(found + needle.length())));
    }
}
