package dev.execserver.server.rules.starlark;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Names of a file, a function or a comprehension, and their values. An inner scope sees the outer ones. */
final class Scope {
    private final Optional<Scope> outer;
    private final Set<String> names;
    private final Map<String, Object> values = new HashMap<>();

    private Scope(Optional<Scope> outer, Set<String> names) {
        this.outer = outer;
        this.names = names;
    }

    static Scope ofFile(Set<String> names) {
        return new Scope(Optional.empty(), names);
    }

    Scope inner(Set<String> names) {
        return new Scope(Optional.of(this), names);
    }

    /** Sets a name in the nearest scope that has it. */
    void set(String name, Object value) {
        Scope scope = holder(name).orElseThrow(() -> new IllegalStateException("no scope has " + name));
        scope.values.put(name, value);
    }

    /**
     * Returns the value of a name; empty if no scope has the name.
     *
     * @throws Failure when the name has no value yet
     */
    Optional<Object> get(String name) {
        Optional<Scope> scope = holder(name);
        if (scope.isEmpty()) {
            return Optional.empty();
        }
        Object value = scope.get().values.get(name);
        if (value == null) {
            throw new Failure("Local variable `%s` referenced before assignment".formatted(name));
        }
        return Optional.of(value);
    }

    private Optional<Scope> holder(String name) {
        Scope scope = this;
        while (!scope.names.contains(name)) {
            if (scope.outer.isEmpty()) {
                return Optional.empty();
            }
            scope = scope.outer.get();
        }
        return Optional.of(scope);
    }
}
