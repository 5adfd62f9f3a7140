package dev.execserver.server.rules.starlark;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/**
 * Type, truth and order of values. The values of the language are {@link NoneValue}, {@link Boolean},
 * {@link BigInteger}, {@link Double}, {@link String}, {@link BytesValue}, {@link ListValue}, {@link TupleValue}, {@link DictValue},
 * {@link RangeValue} and {@link Callable}.
 */
public final class Values {
    private Values() {}

    /** Returns the name of a value's type, as the function {@code type} tells it. */
    public static String type(Object value) {
        return switch (value) {
            case NoneValue _ -> "NoneType";
            case Boolean _ -> "bool";
            case BigInteger _ -> "int";
            case Double _ -> "float";
            case String _ -> "string";
            case BytesValue _ -> "bytes";
            case ListValue _ -> "list";
            case TupleValue _ -> "tuple";
            case DictValue _ -> "dict";
            case RangeValue _ -> "range";
            case Callable _ -> "function";
            default -> throw new IllegalStateException("no value of the language: " + value.getClass());
        };
    }

    /** Returns true unless the value is None, False, zero or empty. */
    static boolean truth(Object value) {
        return switch (value) {
            case NoneValue _ -> false;
            case Boolean truth -> truth;
            case BigInteger number -> number.signum() != 0;
            case Double number -> number != 0;
            case String text -> !text.isEmpty();
            case BytesValue bytes -> bytes.size() > 0;
            case ListValue list -> !list.elements().isEmpty();
            case TupleValue tuple -> !tuple.elements().isEmpty();
            case DictValue dict -> dict.size() > 0;
            case RangeValue range -> range.size() > 0;
            default -> true;
        };
    }

    static boolean equal(Object left, Object right) {
        return equal(left, right, new Comparison());
    }

    static boolean equal(Object left, Object right, Comparison work) {
        work.enter();
        boolean equal = sameContent(left, right, work);
        work.leave();
        return equal;
    }

    private static boolean sameContent(Object left, Object right, Comparison work) {
        if (left instanceof ListValue one && right instanceof ListValue two) {
            return allEqual(one.elements(), two.elements(), work);
        }
        if (left instanceof TupleValue one && right instanceof TupleValue two) {
            return allEqual(one.elements(), two.elements(), work);
        }
        if (left instanceof DictValue one && right instanceof DictValue two) {
            return one.size() == two.size()
                    && one.keys().stream()
                            .allMatch(key -> two.get(key)
                                    .map(value -> equal(one.get(key).orElseThrow(), value, work))
                                    .orElse(false));
        }
        if (isNumber(left) && isNumber(right)) {
            return isOrdered(left) && isOrdered(right) ? compareNumbers(left, right) == 0 : false;
        }
        return left.equals(right);
    }

    private static boolean allEqual(List<Object> left, List<Object> right, Comparison work) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            if (!equal(left.get(i), right.get(i), work)) {
                return false;
            }
        }
        return true;
    }

    /** Returns a negative number, 0 or a positive one, as the first value is less than, equal to or greater than the second. */
    static int compare(Object left, Object right) {
        return compare(left, right, new Comparison());
    }

    static int compare(Object left, Object right, Comparison work) {
        work.enter();
        int order = order(left, right, work);
        work.leave();
        return order;
    }

    private static int order(Object left, Object right, Comparison work) {
        if (isNumber(left) && isNumber(right)) {
            return compareNumbers(left, right);
        }
        if (left instanceof String one && right instanceof String two) {
            return compareText(one, two);
        }
        if (left instanceof Boolean one && right instanceof Boolean two) {
            return Boolean.compare(one, two);
        }
        if (left instanceof ListValue one && right instanceof ListValue two) {
            return compareAll(one.elements(), two.elements(), work);
        }
        if (left instanceof TupleValue one && right instanceof TupleValue two) {
            return compareAll(one.elements(), two.elements(), work);
        }
        if (left instanceof BytesValue one && right instanceof BytesValue two) {
            return java.util.Arrays.compareUnsigned(one.octets(), two.octets());
        }
        throw new Failure(
                "Operation `compare` not supported for types `%s` and `%s`".formatted(type(left), type(right)));
    }

    /** By code points: UTF-16 would put characters above U+FFFF before some below. */
    private static int compareText(String left, String right) {
        int mismatch = 0;
        int shorter = Math.min(left.length(), right.length());
        while (mismatch < shorter && left.charAt(mismatch) == right.charAt(mismatch)) {
            mismatch++;
        }
        if (mismatch == shorter) {
            return Integer.compare(left.length(), right.length());
        }
        int begin = mismatch > 0 && Character.isHighSurrogate(left.charAt(mismatch - 1)) ? mismatch - 1 : mismatch;
        return Integer.compare(left.codePointAt(begin), right.codePointAt(begin));
    }

    private static int compareAll(List<Object> left, List<Object> right, Comparison work) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            int order = compare(left.get(i), right.get(i), work);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    static boolean isNumber(Object value) {
        return value instanceof BigInteger || value instanceof Double;
    }

    private static boolean isOrdered(Object number) {
        return !(number instanceof Double real) || !real.isNaN();
    }

    private static int compareNumbers(Object left, Object right) {
        if (left instanceof BigInteger one && right instanceof BigInteger two) {
            return one.compareTo(two);
        }
        double one = real(left);
        double two = real(right);
        boolean exact = !Double.isInfinite(one) && !Double.isInfinite(two) && !Double.isNaN(one) && !Double.isNaN(two);
        return exact ? decimal(left).compareTo(decimal(right)) : Double.compare(one, two);
    }

    static double real(Object number) {
        return number instanceof BigInteger integer ? integer.doubleValue() : (Double) number;
    }

    private static BigDecimal decimal(Object number) {
        return number instanceof BigInteger integer ? new BigDecimal(integer) : new BigDecimal((Double) number);
    }

    /** Returns the number of elements or characters; 1 for what has none. */
    static long length(Object value) {
        return switch (value) {
            case String text -> text.length();
            case BytesValue bytes -> bytes.size();
            case ListValue list -> list.elements().size();
            case TupleValue tuple -> tuple.elements().size();
            case DictValue dict -> dict.size();
            case RangeValue range -> range.size();
            default -> 1;
        };
    }

    /** Returns the elements of something that a loop can run over; a dict gives its keys. */
    static List<Object> elements(Object value) {
        return switch (value) {
            case ListValue list -> list.elements();
            case TupleValue tuple -> tuple.elements();
            case DictValue dict -> dict.keys();
            case RangeValue range -> range.elements();
            default -> throw new Failure("Operation `(iter)` not supported on type `%s`".formatted(type(value)));
        };
    }

    /** Returns an integer that fits into 32 bits. */
    static int integer(Object value, String name) {
        if (!(value instanceof BigInteger number)) {
            throw new Failure("Type of parameter `%s` doesn't match, expected `int`, actual `%s (repr: %s)`"
                    .formatted(name, type(value), Repr.of(value)));
        }
        if (number.bitLength() > 31) {
            throw new Failure(
                    "Integer overflow: `%s` of %s".formatted(name, number.bitLength() > 64 ? "many bits" : number));
        }
        return number.intValue();
    }
}
