package dev.execserver.server.rules.starlark;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Key of a dict: values that are equal have equal keys, 1 and 1.0 among them. */
record Key(Object value, Object compared) {
    static Key of(Object value) {
        return new Key(value, normal(value, new Comparison()));
    }

    private static Object normal(Object value, Comparison work) {
        return switch (value) {
            case NoneValue _, Boolean _, BigInteger _, String _, BytesValue _, RangeValue _, Callable _ -> value;
            case Double number ->
                number.isInfinite() || number.isNaN() || number != Math.rint(number)
                        ? value
                        : new BigDecimal(number).toBigInteger();
            case TupleValue tuple -> {
                work.enter();
                List<Object> elements = tuple.elements().stream()
                        .map(element -> normal(element, work))
                        .toList();
                work.leave();
                yield elements;
            }
            default -> throw new Failure("Value of type `%s` is not hashable".formatted(Values.type(value)));
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key key && compared.equals(key.compared);
    }

    @Override
    public int hashCode() {
        return compared.hashCode();
    }
}
