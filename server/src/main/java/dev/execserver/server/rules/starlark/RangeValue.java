package dev.execserver.server.rules.starlark;

import java.math.BigInteger;
import java.util.AbstractList;
import java.util.List;

/** Value of type {@code range}. Two ranges are equal if they have the same elements. */
record RangeValue(int first, int step, int size) {
    static RangeValue of(int begin, int end, int step) {
        if (step == 0) {
            throw new Failure("Third argument of range (step) cannot be null");
        }
        long distance = step > 0 ? (long) end - begin : (long) begin - end;
        long stride = Math.abs((long) step);
        long size = distance <= 0 ? 0 : (distance + stride - 1) / stride;
        return new RangeValue(begin, step, (int) Math.min(size, Integer.MAX_VALUE));
    }

    BigInteger get(int index) {
        return BigInteger.valueOf(first + (long) index * step);
    }

    List<Object> elements() {
        return new AbstractList<>() {
            @Override
            public Object get(int index) {
                return RangeValue.this.get(index);
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    RangeValue slice(int from, int every, int count) {
        return new RangeValue(first + from * step, step * every, count);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RangeValue range
                && size == range.size
                && (size == 0 || first == range.first)
                && (size <= 1 || step == range.step);
    }

    @Override
    public int hashCode() {
        return size == 0 ? 0 : 31 * first + size;
    }
}
