package dev.execserver.server.rules.starlark;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** Text with values put into it: the operator {@code %} and the method {@code format}. */
final class Formats {
    private Formats() {}

    /** Puts the values of a tuple, or one value, in the place of %s, %r, %d, %o, %x, %X, %e, %f, %g and %c. */
    static String percent(Budget budget, String format, Object values) {
        List<Object> given = values instanceof TupleValue tuple ? tuple.elements() : List.of(values);
        StringBuilder text = new StringBuilder();
        int taken = 0;
        int at = 0;
        while (at < format.length()) {
            char c = format.charAt(at);
            if (c != '%') {
                text.append(c);
                at++;
                continue;
            }
            if (at + 1 == format.length()) {
                throw new Failure("incomplete format");
            }
            char conversion = format.charAt(at + 1);
            if (conversion == '%') {
                text.append('%');
            } else {
                if (taken == given.size()) {
                    throw new Failure("not enough arguments for format string");
                }
                text.append(converted(conversion, given.get(taken)));
                taken++;
            }
            budget.allocate(text.length());
            at += 2;
        }
        if (taken < given.size()) {
            throw new Failure("not all arguments converted during string formatting");
        }
        return text.toString();
    }

    private static String converted(char conversion, Object value) {
        return switch (conversion) {
            case 's' -> Repr.string(value);
            case 'r' -> Repr.of(value);
            case 'd' ->
                value instanceof Double number
                        ? String.valueOf(new java.math.BigDecimal(number).toBigInteger())
                        : integer(value).toString();
            case 'o' -> integer(value).toString(8);
            case 'x' -> integer(value).toString(16);
            case 'X' -> integer(value).toString(16).toUpperCase(java.util.Locale.ROOT);
            case 'e', 'f', 'g' -> {
                if (!Values.isNumber(value)) {
                    throw new Failure(
                            "Operation `%%%s` not supported on type `%s`".formatted(conversion, Values.type(value)));
                }
                yield ("%" + conversion).formatted(Values.real(value));
            }
            default -> throw new Failure("unsupported format character `%s`".formatted(Repr.character(conversion)));
        };
    }

    private static BigInteger integer(Object value) {
        if (!(value instanceof BigInteger number)) {
            throw new Failure("Expected type `int` but got `%s`".formatted(Values.type(value)));
        }
        return number;
    }

    /** Puts arguments in the place of {@code {}}, {@code {0}} and {@code {name}}; {@code !r} and {@code !s} choose the text. */
    static String braces(Budget budget, String format, Arguments arguments) {
        return new Braces(budget, format, arguments).run();
    }

    private static final class Braces {
        private final Budget budget;
        private final String format;
        private final List<Object> positions;
        private final Map<String, Object> names;
        private final StringBuilder text = new StringBuilder();
        private int next;
        private boolean numbered;

        Braces(Budget budget, String format, Arguments arguments) {
            this.budget = budget;
            this.format = format;
            this.positions = arguments.positions();
            this.names = arguments.names();
        }

        String run() {
            int at = 0;
            while (at < format.length()) {
                char c = format.charAt(at);
                boolean doubled = at + 1 < format.length() && format.charAt(at + 1) == c;
                if ((c == '{' || c == '}') && doubled) {
                    text.append(c);
                    at += 2;
                } else if (c == '{') {
                    int end = format.indexOf('}', at);
                    if (end < 0) {
                        throw new Failure("Unmatched '{' in format string");
                    }
                    field(format.substring(at + 1, end));
                    at = end + 1;
                } else if (c == '}') {
                    throw new Failure("Standalone '}' in format string `%s`".formatted(format));
                } else {
                    text.append(c);
                    at++;
                }
            }
            return text.toString();
        }

        private void field(String field) {
            int mark = field.indexOf('!');
            String key = mark < 0 ? field : field.substring(0, mark);
            String conversion = mark < 0 ? "s" : field.substring(mark + 1);
            Object value = value(key);
            text.append(
                    switch (conversion) {
                        case "s" -> Repr.string(value);
                        case "r" -> Repr.of(value);
                        default ->
                            throw new Failure("'%s' is not a valid format string specifier, only s and r are"
                                    .formatted(conversion));
                    });
            budget.allocate(text.length());
        }

        private Object value(String key) {
            if (key.isEmpty() || key.chars().allMatch(c -> c >= '0' && c <= '9')) {
                if (!key.isEmpty() && next > 0 || key.isEmpty() && numbered) {
                    throw new Failure(
                            "Cannot mix manual field specification and automatic field numbering in format string");
                }
                numbered |= !key.isEmpty();
                int index = key.isEmpty() ? next++ : key.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(key);
                if (index >= positions.size()) {
                    throw new Failure("Not enough parameters in format string");
                }
                return positions.get(index);
            }
            Object value = names.get(key);
            if (value == null) {
                throw new Failure("Key `%s` was not found".formatted(key));
            }
            return value;
        }
    }
}
