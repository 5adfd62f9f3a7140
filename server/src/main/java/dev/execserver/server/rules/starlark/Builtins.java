package dev.execserver.server.rules.starlark;

import static dev.execserver.server.rules.starlark.Builtin.Parameter.positional;
import static dev.execserver.server.rules.starlark.Builtin.Parameter.positionalOptional;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Functions that every program has. Sequences are in {@link SequenceBuiltins}. */
final class Builtins {
    private Builtins() {}

    static Map<String, Object> all() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("None", NoneValue.NONE);
        values.put("True", true);
        values.put("False", false);
        add(values, "abs", List.of(positional("x", "")), (_, arguments) -> absolute(first(arguments)));
        add(
                values,
                "bool",
                List.of(positionalOptional("x", "")),
                (_, arguments) -> arguments.getFirst().map(Values::truth).orElse(false));
        add(
                values,
                "bytes",
                List.of(positional("x", "")),
                (interpreter, arguments) -> bytes(interpreter, first(arguments)));
        add(values, "chr", List.of(positional("i", "int")), (_, arguments) -> character(first(arguments)));
        add(
                values,
                "dir",
                List.of(positional("x", "")),
                (_, arguments) -> new ListValue(Methods.names(first(arguments))));
        add(
                values,
                "float",
                List.of(positionalOptional("x", "")),
                (_, arguments) -> arguments.getFirst().map(Builtins::real).orElse(0.0));
        add(
                values,
                "getattr",
                List.of(positional("x", ""), positional("name", "str"), positionalOptional("default", "")),
                (_, arguments) -> Methods.find(first(arguments), StringMethods.text(arguments, 1))
                        .or(() -> arguments.get(2))
                        .orElseGet(() -> Methods.required(first(arguments), StringMethods.text(arguments, 1))));
        add(
                values,
                "hasattr",
                List.of(positional("x", ""), positional("name", "str")),
                (_, arguments) -> Methods.find(first(arguments), StringMethods.text(arguments, 1))
                        .isPresent());
        add(values, "hash", List.of(positional("x", "str")), (_, arguments) -> hash((String) first(arguments)));
        add(
                values,
                "int",
                List.of(positionalOptional("x", ""), Builtin.Parameter.optional("base", "int")),
                (_, arguments) -> integer(arguments));
        add(values, "ord", List.of(positional("c", "str")), (_, arguments) -> codePoint((String) first(arguments)));
        add(
                values,
                "repr",
                List.of(positional("x", "")),
                (interpreter, arguments) -> counted(interpreter, Repr.of(first(arguments))));
        add(
                values,
                "str",
                List.of(positionalOptional("x", "")),
                (interpreter, arguments) -> counted(
                        interpreter, arguments.getFirst().map(Repr::string).orElse("")));
        add(values, "type", List.of(positional("x", "")), (_, arguments) -> Values.type(first(arguments)));
        values.put("fail", new Fail());
        SequenceBuiltins.add(values);
        return values;
    }

    private static void add(
            Map<String, Object> values, String name, List<Builtin.Parameter> parameters, Builtin.Body body) {
        values.put(name, new Builtin(name, parameters, body));
    }

    /** Ends the program with an error of its own. */
    private record Fail() implements Callable {
        @Override
        public String name() {
            return "fail";
        }

        @Override
        public Object call(Interpreter interpreter, Arguments arguments) {
            throw new Failure(
                    "fail: " + arguments.positions().stream().map(Repr::string).collect(Collectors.joining(" ")));
        }
    }

    private static Object first(List<Optional<Object>> arguments) {
        return arguments.getFirst().orElseThrow();
    }

    private static String counted(Interpreter interpreter, String text) {
        interpreter.budget().allocate(text.length());
        return text;
    }

    private static Object absolute(Object value) {
        return switch (value) {
            case BigInteger number -> number.abs();
            case Double number -> Math.abs(number);
            default -> throw new Failure("Operation `abs` not supported on type `%s`".formatted(Values.type(value)));
        };
    }

    private static Object bytes(Interpreter interpreter, Object value) {
        if (value instanceof String text) {
            return new BytesValue(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        List<Object> elements = Values.elements(value);
        interpreter.budget().allocate(elements.size());
        byte[] octets = new byte[elements.size()];
        for (int i = 0; i < octets.length; i++) {
            int octet = Values.integer(elements.get(i), "x");
            if (octet < 0 || octet > 255) {
                throw new Failure("`%d` is no byte".formatted(octet));
            }
            octets[i] = (byte) octet;
        }
        return new BytesValue(octets);
    }

    private static String character(Object value) {
        int c = Values.integer(value, "i");
        if (!Character.isValidCodePoint(c) || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
            throw new Failure("chr() parameter value is 0x%x which is not a valid UTF-8 codepoint".formatted(c));
        }
        return Character.toString(c);
    }

    private static BigInteger codePoint(String text) {
        if (text.codePointCount(0, text.length()) != 1) {
            throw new Failure("ord() expected a character, but string of length %d found"
                    .formatted(text.codePointCount(0, text.length())));
        }
        return BigInteger.valueOf(text.codePointAt(0));
    }

    /** The hash that Java has for strings, as the specification of the language asks for. */
    private static BigInteger hash(String text) {
        return BigInteger.valueOf(text.hashCode());
    }

    private static Double real(Object value) {
        return switch (value) {
            case BigInteger number -> number.doubleValue();
            case Double number -> number;
            case Boolean truth -> truth ? 1.0 : 0.0;
            case String text -> parsedReal(text);
            default -> throw new Failure("Operation `float` not supported on type `%s`".formatted(Values.type(value)));
        };
    }

    private static Double parsedReal(String text) {
        String plain = text.strip().toLowerCase(java.util.Locale.ROOT);
        if (plain.matches("[+-]?(inf|infinity)")) {
            return plain.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        if (plain.matches("[+-]?nan")) {
            return Double.NaN;
        }
        if (!plain.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?")) {
            throw new Failure("`%s` is not a valid number".formatted(text));
        }
        return Double.valueOf(plain);
    }

    private static BigInteger integer(List<Optional<Object>> arguments) {
        Object value = arguments.getFirst().orElse(BigInteger.ZERO);
        Optional<Integer> base = arguments.get(1).map(given -> Values.integer(given, "base"));
        if (base.isPresent() && !(value instanceof String)) {
            throw new Failure("int() cannot convert non-string with explicit base '%d'".formatted(base.get()));
        }
        return switch (value) {
            case BigInteger number -> number;
            case Boolean truth -> truth ? BigInteger.ONE : BigInteger.ZERO;
            case Double number -> {
                if (number.isNaN() || number.isInfinite()) {
                    throw new Failure("Not representable as an integer: %s".formatted(Repr.number(number)));
                }
                yield new java.math.BigDecimal(number).toBigInteger();
            }
            case String text -> parsed(text, base.orElse(10));
            default -> throw new Failure("Operation `int` not supported on type `%s`".formatted(Values.type(value)));
        };
    }

    private static BigInteger parsed(String text, int base) {
        if (base != 0 && (base < 2 || base > 36)) {
            throw new Failure("%d is not a valid base, int() base must be >= 2 and <= 36".formatted(base));
        }
        Budget.bits(text.length() * 5L);
        String digits = text;
        boolean negative = digits.startsWith("-");
        digits = negative || digits.startsWith("+") ? digits.substring(1) : digits;
        int radix = base;
        for (Map.Entry<String, Integer> prefix :
                Map.of("0x", 16, "0o", 8, "0b", 2).entrySet()) {
            boolean fits = base == 0 || base == prefix.getValue();
            if (fits && digits.toLowerCase(java.util.Locale.ROOT).startsWith(prefix.getKey())) {
                digits = digits.substring(2);
                radix = prefix.getValue();
            }
        }
        int used = radix == 0 ? 10 : radix;
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c < 128 && Character.digit(c, used) >= 0)) {
            throw new Failure("Cannot parse `%s` as an integer in base %d".formatted(text, base));
        }
        BigInteger value = new BigInteger(digits, used);
        return negative ? value.negate() : value;
    }

    static List<Object> copy(Interpreter interpreter, Object value) {
        List<Object> elements = Values.elements(value);
        interpreter.budget().allocate(elements.size());
        return new ArrayList<>(elements);
    }
}
