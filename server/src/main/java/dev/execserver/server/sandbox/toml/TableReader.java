package dev.execserver.server.sandbox.toml;

import dev.execserver.protocol.rpc.RpcException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/** Reads the values of one TOML table. Errors have the position of the key. */
final class TableReader {
    private static final TomlPosition START = TomlPosition.positionAt(1, 1);

    private final TomlTable table;
    private final String name;

    /** @param name of the table in messages */
    TableReader(TomlTable table, String name) {
        this.table = table;
        this.name = name;
    }

    Set<String> keys() {
        return table.keySet();
    }

    boolean hasTable(String key) {
        return value(key) instanceof TomlTable;
    }

    Optional<TableReader> table(String key) {
        return read(key, TomlTable.class, "a table").map(found -> new TableReader(found, name + "." + key));
    }

    Optional<String> string(String key) {
        return read(key, String.class, "a string");
    }

    Optional<Boolean> bool(String key) {
        return read(key, Boolean.class, "true or false");
    }

    Optional<Long> integer(String key) {
        return read(key, Long.class, "an integer");
    }

    /** Reads a table of words. */
    <T> Map<String, T> words(String key, Function<String, T> reader) {
        Map<String, T> words = new LinkedHashMap<>();
        table(key).ifPresent(found -> found.keys().forEach(word -> words.put(word, found.word(word, reader))));
        return words;
    }

    /** Reads a string that is one of some words. */
    <T> T word(String key, Function<String, T> reader) {
        String text = string(key).orElseThrow();
        return checked(key, () -> reader.apply(text));
    }

    /** Returns the result of a conversion; its errors get the position of the key. */
    <T> T checked(String key, Supplier<T> conversion) {
        try {
            return conversion.get();
        } catch (RpcException e) {
            throw fault(key, e.message());
        }
    }

    /** Refuses keys that are not known, because one that is not understood may forbid something. */
    void refuseOthers(Set<String> known) {
        for (String key : keys()) {
            if (!known.contains(key)) {
                throw fault(
                        key,
                        "`" + name + "` has an unknown key `" + key + "`; known are "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
    }

    TomlFaultException fault(String key, String message) {
        TomlPosition place = table.inputPositionOf(List.of(key));
        return new TomlFaultException(place == null ? START : place, message);
    }

    private Object value(String key) {
        return table.get(List.of(key));
    }

    private <T> Optional<T> read(String key, Class<T> type, String expected) {
        Object found = value(key);
        if (found != null && !type.isInstance(found)) {
            throw fault(key, "`" + name + "." + key + "` must be " + expected);
        }
        return Optional.ofNullable(found).map(type::cast);
    }
}
