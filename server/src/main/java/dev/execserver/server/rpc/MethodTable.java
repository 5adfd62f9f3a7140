package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Dialect;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The methods that a server knows. Immutable. */
public final class MethodTable {

    private final Map<String, Method<?>> methods;

    public MethodTable(Collection<Method<?>> methods, Dialect dialect) {
        this.methods = methods.stream()
                .filter(method -> dialect.open() || !method.additive())
                .collect(Collectors.toUnmodifiableMap(Method::name, method -> method));
    }

    public Optional<Method<?>> find(String name) {
        return Optional.ofNullable(methods.get(name));
    }

    /** Names of the additive methods, sorted. */
    public List<String> additive() {
        return methods.values().stream()
                .filter(Method::additive)
                .map(Method::name)
                .sorted()
                .toList();
    }
}
