package dev.execserver.server.rules.starlark;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Elements and slices of values, and their change. Strings are counted in code points. */
final class Elements {
    private Elements() {}

    static Object get(Budget budget, Object of, Object index) {
        return switch (of) {
            case DictValue dict ->
                dict.get(index).orElseThrow(() -> new Failure("Key `%s` was not found".formatted(Repr.of(index))));
            case String text -> {
                budget.goThrough(text.length());
                int at = position(index, text.codePointCount(0, text.length()));
                yield Character.toString(text.codePointAt(text.offsetByCodePoints(0, at)));
            }
            case BytesValue bytes -> BigInteger.valueOf(bytes.octets()[position(index, bytes.size())] & 0xFF);
            case ListValue list ->
                list.elements().get(position(index, list.elements().size()));
            case TupleValue tuple ->
                tuple.elements().get(position(index, tuple.elements().size()));
            case RangeValue range -> range.get(position(index, range.size()));
            default -> throw new Failure("Operation `[]` not supported on type `%s`".formatted(Values.type(of)));
        };
    }

    static void set(Budget budget, Object of, Object index, Object value) {
        switch (of) {
            case DictValue dict -> {
                budget.allocate(1);
                dict.put(index, value);
            }
            case ListValue list ->
                list.change().set(position(index, list.elements().size()), value);
            default -> throw new Failure("Operation `[]=` not supported on type `%s`".formatted(Values.type(of)));
        }
    }

    private static int position(Object index, int size) {
        int at = Values.integer(index, "index");
        int position = at < 0 ? at + size : at;
        if (position < 0 || position >= size) {
            throw new Failure("Index `%d` is out of bound".formatted(at));
        }
        return position;
    }

    static Object slice(Budget budget, Object of, Optional<Object> from, Optional<Object> to, Optional<Object> step) {
        int every = step.filter(value -> value != NoneValue.NONE)
                .map(value -> Values.integer(value, "step"))
                .orElse(1);
        if (every == 0) {
            throw new Failure("Slice step cannot be zero");
        }
        budget.goThrough(Values.length(of));
        return switch (of) {
            case String text -> {
                int[] characters = text.codePoints().toArray();
                StringBuilder slice = new StringBuilder();
                positions(characters.length, from, to, every).forEach(at -> slice.appendCodePoint(characters[at]));
                budget.allocate(slice.length());
                yield slice.toString();
            }
            case ListValue list -> new ListValue(picked(budget, list.elements(), from, to, every));
            case TupleValue tuple -> new TupleValue(picked(budget, tuple.elements(), from, to, every));
            case RangeValue range -> {
                List<Integer> positions = positions(range.size(), from, to, every);
                yield range.slice(positions.isEmpty() ? 0 : positions.getFirst(), every, positions.size());
            }
            default -> throw new Failure("Operation `[::]` not supported on type `%s`".formatted(Values.type(of)));
        };
    }

    private static List<Object> picked(
            Budget budget, List<Object> elements, Optional<Object> from, Optional<Object> to, int every) {
        List<Object> picked = new ArrayList<>();
        positions(elements.size(), from, to, every).forEach(at -> picked.add(elements.get(at)));
        budget.allocate(picked.size());
        return picked;
    }

    private static List<Integer> positions(int size, Optional<Object> from, Optional<Object> to, int every) {
        int begin = bound(from, size, every > 0 ? 0 : size - 1, every);
        int end = bound(to, size, every > 0 ? size : -1, every);
        List<Integer> positions = new ArrayList<>();
        for (long at = begin; every > 0 ? at < end : at > end; at += every) {
            positions.add((int) at);
        }
        return positions;
    }

    private static int bound(Optional<Object> given, int size, int absent, int every) {
        if (given.isEmpty() || given.get() == NoneValue.NONE) {
            return absent;
        }
        int at = Values.integer(given.get(), "slice bound");
        int position = at < 0 ? at + size : at;
        return every > 0 ? Math.clamp(position, 0, size) : Math.clamp(position, -1, size - 1);
    }
}
