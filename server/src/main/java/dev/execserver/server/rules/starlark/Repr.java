package dev.execserver.server.rules.starlark;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Values as text: {@code repr} and {@code str}. */
final class Repr {
    /** Lists within lists; deeper ones, and those that contain themselves, are written as three dots. */
    private static final int MAX_DEPTH = 32;

    private Repr() {}

    /** Returns the text of a value as it could stand in a program. */
    static String of(Object value) {
        return of(value, 0);
    }

    /** Returns a string as it is, anything else as {@link #of(Object)}. */
    static String string(Object value) {
        return value instanceof String text ? text : of(value);
    }

    private static String of(Object value, int depth) {
        if (depth > MAX_DEPTH) {
            return "...";
        }
        return switch (value) {
            case NoneValue _ -> "None";
            case Boolean truth -> truth ? "True" : "False";
            case BigInteger number -> number.toString();
            case Double number -> number(number);
            case String text -> quoted(text);
            case BytesValue bytes -> "b" + quoted(new String(bytes.octets(), StandardCharsets.ISO_8859_1));
            case ListValue list -> joined(list.elements(), depth, "[", "]");
            case TupleValue tuple ->
                joined(tuple.elements(), depth, "(", tuple.elements().size() == 1 ? ",)" : ")");
            case DictValue dict -> joined(dict, depth);
            case RangeValue range -> range(range);
            case Callable function -> function.name();
            default -> throw new IllegalStateException("no value of the language: " + value.getClass());
        };
    }

    private static String joined(List<Object> elements, int depth, String begin, String end) {
        StringBuilder text = new StringBuilder(begin);
        String between = "";
        for (Object element : elements) {
            text.append(between).append(of(element, depth + 1));
            // A value can hold itself many times, so that its text would outgrow the memory.
            Budget.requireRoom(text.length());
            between = ", ";
        }
        return text.append(end).toString();
    }

    private static String joined(DictValue dict, int depth) {
        StringBuilder text = new StringBuilder("{");
        String between = "";
        for (TupleValue item : dict.items()) {
            text.append(between)
                    .append(of(item.elements().get(0), depth + 1))
                    .append(": ")
                    .append(of(item.elements().get(1), depth + 1));
            Budget.requireRoom(text.length());
            between = ", ";
        }
        return text.append('}').toString();
    }

    private static String range(RangeValue range) {
        long end = range.first() + (long) range.size() * range.step();
        return range.step() == 1
                ? "range(%s%d)".formatted(range.first() == 0 ? "" : range.first() + ", ", end)
                : "range(%d, %d, %d)".formatted(range.first(), end, range.step());
    }

    static String number(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+inf" : "-inf";
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e17) {
            return "%.1f".formatted(value);
        }
        String text = Double.toString(value).replace("E-", "e-").replace("E", "e+");
        return text.replaceFirst("\\.0e", "e").replaceFirst("e([+-])(\\d)$", "e$10$2");
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> quoted.append(c == '"' ? "\\\"" : c == '\\' ? "\\\\" : character(c)));
        return quoted.append('"').toString();
    }

    /** Returns one character, or its escape if it is no printable one. */
    static String character(int c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> {
                if (c < ' ' || c >= 0x7F && c <= 0xFF) {
                    yield "\\x%02x".formatted(c);
                }
                if (c > 0xFFFF) {
                    yield "\\U%08x".formatted(c);
                }
                yield c > 0xFF && !printable(c) ? "\\u%04x".formatted(c) : Character.toString(c);
            }
        };
    }

    private static boolean printable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
