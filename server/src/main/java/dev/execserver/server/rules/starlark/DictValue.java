package dev.execserver.server.rules.starlark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Value of type {@code dict}: keeps the order in which keys came. It cannot be changed while a loop runs over it. */
final class DictValue {
    private final Map<Key, Object> entries = new LinkedHashMap<>();
    private int loops;

    int size() {
        return entries.size();
    }

    Optional<Object> get(Object key) {
        return Optional.ofNullable(entries.get(Key.of(key)));
    }

    void put(Object key, Object value) {
        requireChangeable();
        entries.put(Key.of(key), value);
    }

    Optional<Object> remove(Object key) {
        requireChangeable();
        return Optional.ofNullable(entries.remove(Key.of(key)));
    }

    void clear() {
        requireChangeable();
        entries.clear();
    }

    List<Object> keys() {
        return entries.keySet().stream().map(Key::value).toList();
    }

    List<Object> values() {
        return new ArrayList<>(entries.values());
    }

    List<TupleValue> items() {
        return entries.entrySet().stream()
                .map(entry -> new TupleValue(List.of(entry.getKey().value(), entry.getValue())))
                .toList();
    }

    void beginLoop() {
        loops++;
    }

    void endLoop() {
        loops--;
    }

    private void requireChangeable() {
        if (loops > 0) {
            throw new Failure("This operation mutates an iterable for an iterator is being used");
        }
    }
}
