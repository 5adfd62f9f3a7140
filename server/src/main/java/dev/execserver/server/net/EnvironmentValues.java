package dev.execserver.server.net;

import dev.execserver.protocol.rpc.RpcException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Variables of the server's environment whose values headers may use. Excludes the server's own credentials and
 * variables that the operator names, because a client could have them sent to itself. Immutable.
 */
public final class EnvironmentValues {

    /** Prefixes of variables that configure this server or a similar one. */
    private static final List<String> PROTECTED_PREFIXES = List.of("EXEC_SERVER_", "CODEX_EXEC_SERVER_");

    private static final Set<String> PROTECTED_NAMES = Set.of("CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "OPENAI_API_KEY");

    private final Map<String, String> environment;
    private final Set<String> alsoProtected;

    /** @param alsoProtected names in any letter case */
    public EnvironmentValues(Map<String, String> environment, Collection<String> alsoProtected) {
        this.environment = environment;
        this.alsoProtected =
                alsoProtected.stream().map(EnvironmentValues::upper).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the value for a header.
     *
     * @throws RpcException -32602 if the variable is protected, not set or empty
     */
    String value(String header, String name) {
        String upper = upper(name);
        if (PROTECTED_NAMES.contains(upper)
                || alsoProtected.contains(upper)
                || PROTECTED_PREFIXES.stream().anyMatch(upper::startsWith)) {
            throw refused(header, "cannot use executor environment variable " + name);
        }
        String value = environment.get(name);
        if (value == null) {
            throw refused(header, "requires executor environment variable " + name);
        }
        if (value.isEmpty()) {
            throw refused(header, "requires a non-empty executor environment variable " + name);
        }
        return value;
    }

    private static RpcException refused(String header, String why) {
        return RpcException.invalidParams("http/request header " + header + " " + why);
    }

    private static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}
