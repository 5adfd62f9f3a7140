package dev.execserver.server.rules.starlark;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Operators on values. What they make counts for the budget. */
final class Operators {
    private final Budget budget;

    Operators(Budget budget) {
        this.budget = budget;
    }

    Object unary(String operator, Object operand) {
        return switch (operator) {
            case "not" -> !Values.truth(operand);
            case "-" ->
                switch (operand) {
                    case BigInteger number -> number.negate();
                    case Double number -> -number;
                    default -> throw unsupported("-", operand);
                };
            case "+" -> {
                if (!Values.isNumber(operand)) {
                    throw unsupported("+", operand);
                }
                yield operand;
            }
            case "~" -> {
                if (!(operand instanceof BigInteger number)) {
                    throw unsupported("~", operand);
                }
                yield number.not();
            }
            default -> throw new IllegalStateException("operator " + operator);
        };
    }

    Object binary(String operator, Object left, Object right) {
        return switch (operator) {
            case "==" -> equal(left, right);
            case "!=" -> !equal(left, right);
            case "<" -> compare(left, right) < 0;
            case ">" -> compare(left, right) > 0;
            case "<=" -> compare(left, right) <= 0;
            case ">=" -> compare(left, right) >= 0;
            case "in" -> contains(right, left);
            case "not in" -> !contains(right, left);
            case "+" -> add(left, right);
            case "*" -> multiply(left, right);
            case "%" ->
                left instanceof String format
                        ? Formats.percent(budget, format, right)
                        : arithmetic(operator, left, right);
            case "|" -> union(left, right);
            case "-", "/", "//", "&", "^", "<<", ">>" -> arithmetic(operator, left, right);
            default -> throw new IllegalStateException("operator " + operator);
        };
    }

    private boolean equal(Object left, Object right) {
        budget.goThrough(Math.min(Values.length(left), Values.length(right)));
        Comparison work = new Comparison();
        boolean equal = Values.equal(left, right, work);
        budget.compare(work.pairs());
        return equal;
    }

    private int compare(Object left, Object right) {
        budget.goThrough(Math.min(Values.length(left), Values.length(right)));
        Comparison work = new Comparison();
        int order = Values.compare(left, right, work);
        budget.compare(work.pairs());
        return order;
    }

    private boolean contains(Object container, Object element) {
        return switch (container) {
            case String text -> {
                if (!(element instanceof String part)) {
                    throw unsupported("in", element, container);
                }
                budget.goThrough((long) text.length() + part.length());
                yield TextSearch.contains(text, part);
            }
            case DictValue dict -> dict.get(element).isPresent();
            case ListValue _, TupleValue _, RangeValue _ -> {
                budget.compare(Values.length(container));
                yield Values.elements(container).stream().anyMatch(each -> equal(each, element));
            }
            default -> throw unsupported("in", element, container);
        };
    }

    private Object add(Object left, Object right) {
        if (left instanceof String one && right instanceof String two) {
            budget.allocate((long) one.length() + two.length());
            return one + two;
        }
        if (left instanceof ListValue one && right instanceof ListValue two) {
            return new ListValue(joined(one.elements(), two.elements()));
        }
        if (left instanceof TupleValue one && right instanceof TupleValue two) {
            return new TupleValue(joined(one.elements(), two.elements()));
        }
        return arithmetic("+", left, right);
    }

    private List<Object> joined(List<Object> left, List<Object> right) {
        budget.allocate((long) left.size() + right.size());
        List<Object> joined = new ArrayList<>(left);
        joined.addAll(right);
        return joined;
    }

    private Object multiply(Object left, Object right) {
        if (left instanceof BigInteger count && !Values.isNumber(right)) {
            return repeated(right, count, left);
        }
        return right instanceof BigInteger count && !Values.isNumber(left)
                ? repeated(left, count, right)
                : arithmetic("*", left, right);
    }

    private Object repeated(Object value, BigInteger count, Object other) {
        int size = switch (value) {
            case String text -> text.length();
            case ListValue list -> list.elements().size();
            case TupleValue tuple -> tuple.elements().size();
            default -> throw unsupported("*", value, other);
        };
        BigInteger whole = count.max(BigInteger.ZERO).multiply(BigInteger.valueOf(size));
        budget.allocate(whole.bitLength() > 62 ? Long.MAX_VALUE : whole.longValue());
        int times = size == 0 ? 0 : count.max(BigInteger.ZERO).intValue();
        return switch (value) {
            case String text -> text.repeat(times);
            case ListValue list -> new ListValue(repeated(list.elements(), times));
            case TupleValue tuple -> new TupleValue(repeated(tuple.elements(), times));
            default -> throw unsupported("*", value, other);
        };
    }

    private static List<Object> repeated(List<Object> elements, int times) {
        List<Object> repeated = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            repeated.addAll(elements);
        }
        return repeated;
    }

    private Object union(Object left, Object right) {
        if (!(left instanceof DictValue one) || !(right instanceof DictValue two)) {
            return arithmetic("|", left, right);
        }
        budget.allocate((long) one.size() + two.size());
        DictValue union = new DictValue();
        one.keys().forEach(key -> union.put(key, one.get(key).orElseThrow()));
        two.keys().forEach(key -> union.put(key, two.get(key).orElseThrow()));
        return union;
    }

    private Object arithmetic(String operator, Object left, Object right) {
        if (left instanceof BigInteger one && right instanceof BigInteger two && !operator.equals("/")) {
            return integers(operator, one, two);
        }
        if (Values.isNumber(left) && Values.isNumber(right)) {
            return reals(operator, left, right);
        }
        throw unsupported(operator, left, right);
    }

    private static BigInteger integers(String operator, BigInteger left, BigInteger right) {
        Budget.bits(operator.equals("*") ? (long) left.bitLength() + right.bitLength() : 0);
        return switch (operator) {
            case "+" -> left.add(right);
            case "-" -> left.subtract(right);
            case "*" -> left.multiply(right);
            case "//" -> floorDivide(left, right)[0];
            case "%" -> floorDivide(left, right)[1];
            case "&" -> left.and(right);
            case "|" -> left.or(right);
            case "^" -> left.xor(right);
            case "<<" -> shifted(left, right, true);
            case ">>" -> shifted(left, right, false);
            default -> throw unsupported(operator, left, right);
        };
    }

    /** Returns quotient and remainder, the quotient rounded down. */
    private static BigInteger[] floorDivide(BigInteger left, BigInteger right) {
        if (right.signum() == 0) {
            throw new Failure("Integer division by zero: %s // %s".formatted(left, right));
        }
        BigInteger[] result = left.divideAndRemainder(right);
        if (result[1].signum() != 0 && result[1].signum() != right.signum()) {
            result[0] = result[0].subtract(BigInteger.ONE);
            result[1] = result[1].add(right);
        }
        return result;
    }

    private static BigInteger shifted(BigInteger value, BigInteger by, boolean left) {
        if (by.signum() < 0) {
            throw new Failure("Negative shift count");
        }
        if (!left) {
            return by.bitLength() > 31
                    ? value.signum() < 0 ? BigInteger.ONE.negate() : BigInteger.ZERO
                    : value.shiftRight(by.intValue());
        }
        Budget.bits(
                value.signum() == 0 ? 0 : by.bitLength() > 31 ? Long.MAX_VALUE : value.bitLength() + by.longValue());
        return value.signum() == 0 ? value : value.shiftLeft(by.intValue());
    }

    private static Double reals(String operator, Object left, Object right) {
        double one = Values.real(left);
        double two = Values.real(right);
        return switch (operator) {
            case "+" -> one + two;
            case "-" -> one - two;
            case "*" -> one * two;
            case "/" -> one / divisor(two, left, right);
            case "//" -> Math.floor(one / divisor(two, left, right));
            case "%" -> {
                double remainder = one % divisor(two, left, right);
                yield remainder != 0 && remainder < 0 != two < 0 ? remainder + two : remainder;
            }
            default -> throw unsupported(operator, left, right);
        };
    }

    private static double divisor(double value, Object left, Object right) {
        if (value == 0) {
            throw new Failure("Float division by zero: %s / %s".formatted(Repr.of(left), Repr.of(right)));
        }
        return value;
    }

    private static Failure unsupported(String operator, Object operand) {
        return new Failure("Operation `%s` not supported on type `%s`".formatted(operator, Values.type(operand)));
    }

    private static Failure unsupported(String operator, Object left, Object right) {
        return new Failure("Operation `%s` not supported for types `%s` and `%s`"
                .formatted(operator, Values.type(left), Values.type(right)));
    }
}
