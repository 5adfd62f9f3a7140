package dev.execserver.server.rights;

import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Rights that the operator gives to one client, within those of the whole server. A connection keeps the rights with which
 * it was admitted. Immutable.
 *
 * @param client name for messages
 * @param methods names and patterns such as {@code fs/*} that the client may use; empty for all
 * @param requireSandbox true if the client runs and touches nothing without a sandbox
 * @param floor profile that the client gets no more than, beside that of the server
 * @param maxSessions sessions of the client at once
 * @param maxProcesses processes of one session at once, ended ones that are still readable included
 * @param defaultLimits of a command of the client that asks for nothing
 * @param maxLimits of each command of the client, beside those of the server
 */
public record Rights(
        String client,
        Optional<List<String>> methods,
        boolean requireSandbox,
        Optional<SandboxContext> floor,
        OptionalInt maxSessions,
        OptionalInt maxProcesses,
        LimitSet defaultLimits,
        LimitSet maxLimits) {

    /** Rights of a client that is bounded by the server's own settings only. */
    public static final Rights ALL = new Rights(
            "",
            Optional.empty(),
            false,
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            LimitSet.NONE,
            LimitSet.NONE);

    /** Name of the requests to {@code /mcp}. */
    public static final String MCP = "mcp";

    /** Name of {@code GET} and {@code HEAD} of {@code /files}. */
    public static final String READ_FILES = "files/read";

    /** Name of {@code PUT} of {@code /files}. */
    public static final String WRITE_FILES = "files/write";

    /** Reason of a refused method in the error's data. */
    public static final String NOT_ALLOWED = "methodNotAllowed";

    private static final String WILDCARD = "*";

    public Rights {
        methods = methods.map(List::copyOf);
    }

    /** Returns true if the client has a sandbox floor of its own. */
    public boolean confined() {
        return requireSandbox || floor.isPresent();
    }

    /** Returns the smaller of the client's bound and that of the server. */
    public int maxProcesses(int ofServer) {
        return Math.min(ofServer, maxProcesses.orElse(ofServer));
    }

    /** Returns true if the client may use the method. */
    public boolean allows(String method) {
        return methods.isEmpty() || methods.get().stream().anyMatch(pattern -> matches(pattern, method));
    }

    /** Returns these rights for the named methods alone, as far as the client may use them. */
    public Rights only(Collection<String> names) {
        List<String> left = names.stream().filter(this::allows).sorted().toList();
        return new Rights(
                client, Optional.of(left), requireSandbox, floor, maxSessions, maxProcesses, defaultLimits, maxLimits);
    }

    private static boolean matches(String pattern, String method) {
        return pattern.endsWith(WILDCARD)
                ? method.startsWith(pattern.substring(0, pattern.length() - WILDCARD.length()))
                : pattern.equals(method);
    }

    /** @throws RpcException -32600 if the client may not use the method */
    public void require(String method) {
        if (!allows(method)) {
            throw RpcException.invalidRequest(
                            "the client " + client + (client.isEmpty() ? "" : " ") + "may not use " + method)
                    .withData("reason", NOT_ALLOWED);
        }
    }
}
