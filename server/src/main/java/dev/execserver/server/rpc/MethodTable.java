package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.config.SpellingHint;
import dev.execserver.server.schema.MembersChecks;
import dev.execserver.server.session.Session;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Table of the server's methods by name. Immutable. */
public final class MethodTable {

    /**
     * Typing errors per hundred characters of the part behind the slash up to which two names of one family are taken
     * as similar.
     */
    private static final int SLIPS_PERCENT = 60;

    private final Map<String, Method<?>> methods;
    private final Dialect dialect;
    private final boolean app;

    /** Makes the table of the exec-server dialect. */
    public MethodTable(Collection<Method<?>> methods, Dialect dialect, MembersChecks checks) {
        this(methods, dialect, checks, false);
    }

    private MethodTable(Collection<Method<?>> methods, Dialect dialect, MembersChecks checks, boolean app) {
        this.dialect = dialect;
        this.app = app;
        this.methods = methods.stream()
                .filter(method -> dialect.open() || !method.additive())
                .collect(Collectors.toUnmodifiableMap(
                        Method::name, method -> method.checking(checks.of(method.name()))));
    }

    /** Makes the table of the app-server dialect. */
    public static MethodTable ofApp(Collection<Method<?>> methods, Dialect dialect, MembersChecks checks) {
        return new MethodTable(methods, dialect, checks, true);
    }

    public Optional<Method<?>> find(String name) {
        return Optional.ofNullable(methods.get(name));
    }

    /** Does the same as {@link #unknown(String)}. In the open dialect a missing handshake is told first. */
    RpcException unknown(Connection connection, String name) {
        if (dialect.open() && !app) {
            Session _ = connection.readySession(MethodFamily.ANY);
        }
        return unknown(name);
    }

    /** Returns the error for an unknown name. In the open dialect it suggests the most similar method. */
    public RpcException unknown(String name) {
        if (app) {
            return AppErrors.unknownMethod(name, methods.keySet());
        }
        if (!dialect.open()) {
            return RpcException.methodNotFound(name);
        }
        return RpcException.of(ErrorCodes.METHOD_NOT_FOUND, "unknown method `" + name + "`" + hint(name));
    }

    private String hint(String name) {
        return SpellingHint.nearest(name, methods.keySet())
                .or(() -> nearestOfFamily(name))
                .map(meant -> "; did you mean `" + meant + "`?")
                .orElse("");
    }

    private Optional<String> nearestOfFamily(String name) {
        String family = name.substring(0, name.indexOf('/') + 1);
        if (family.isEmpty()) {
            return Optional.empty();
        }
        List<String> ofFamily = methods.keySet().stream()
                .filter(known -> known.startsWith(family))
                .sorted()
                .map(known -> known.substring(family.length()))
                .toList();
        String written = name.substring(family.length());
        return SpellingHint.nearest(written, ofFamily, written.length() * SLIPS_PERCENT / 100)
                .map(family::concat);
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
