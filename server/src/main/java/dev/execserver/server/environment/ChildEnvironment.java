package dev.execserver.server.environment;

import dev.execserver.protocol.process.EnvPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Computes the variables of a process: those of its start request, and those of the server that the policy lets
 * through. Nothing else is added, not even PATH or TERM. A pure function; any thread may call it.
 */
public final class ChildEnvironment {
    /** Names that {@code inherit: "core"} lets through. TERM is not among them. */
    static final Set<String> CORE_NAMES =
            Set.of("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TEMP", "TMP", "TMPDIR", "USER");

    /** Names that contain one of these, in any letter case, are not inherited unless the policy says so. */
    static final List<String> DEFAULT_EXCLUDED_PARTS = List.of("KEY", "SECRET", "TOKEN");

    /** Variables that control a server or hold its credentials. No process gets them, not even on request. */
    static final Set<String> ALWAYS_REMOVED =
            Set.of("CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE", "CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN");

    /**
     * Variables with which systemd tells its service about sockets and credentials. They are not inherited, because a command is
     * not the service; a request may set them.
     */
    static final Set<String> OF_THE_SERVICE = Set.of(
            "NOTIFY_SOCKET",
            "WATCHDOG_PID",
            "WATCHDOG_USEC",
            "SYSTEMD_EXEC_PID",
            "LISTEN_PID",
            "LISTEN_FDS",
            "LISTEN_FDNAMES",
            "CREDENTIALS_DIRECTORY");

    private ChildEnvironment() {}

    /**
     * @param policy the server's variables to inherit; if empty, the process gets {@code env} alone
     * @param env variables of the start request, which override all others
     * @param server the server's own variables
     */
    public static SortedMap<String, String> compute(
            Optional<EnvPolicy> policy, Map<String, String> env, Map<String, String> server) {
        SortedMap<String, String> result =
                policy.map(present -> inherited(present, server)).orElseGet(TreeMap::new);
        result.putAll(env);
        result.keySet().removeAll(ALWAYS_REMOVED);
        return result;
    }

    /** Returns the variables as {@code NAME=value}, the form that execve(2) takes. */
    public static List<String> entries(Map<String, String> variables) {
        List<String> entries = new ArrayList<>(variables.size());
        variables.forEach((name, value) -> entries.add(name + "=" + value));
        return entries;
    }

    private static SortedMap<String, String> inherited(EnvPolicy policy, Map<String, String> server) {
        SortedMap<String, String> result = new TreeMap<>();
        switch (policy.inherit()) {
            case ALL -> result.putAll(server);
            case CORE -> {
                result.putAll(server);
                result.keySet().retainAll(CORE_NAMES);
            }
            case NONE -> {}
        }
        result.keySet().removeAll(OF_THE_SERVICE);
        if (!policy.ignoreDefaultExcludes()) {
            result.keySet().removeIf(ChildEnvironment::secret);
        }
        result.keySet().removeIf(anyOf(policy.exclude()));
        result.putAll(policy.set());
        if (!policy.includeOnly().isEmpty()) {
            result.keySet().removeIf(anyOf(policy.includeOnly()).negate());
        }
        return result;
    }

    /** Returns true if a variable of this name is taken for a secret, which commands do not inherit unless the client asks. */
    public static boolean secret(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return DEFAULT_EXCLUDED_PARTS.stream().anyMatch(upper::contains);
    }

    private static Predicate<String> anyOf(List<String> globs) {
        List<NamePattern> patterns = globs.stream().map(NamePattern::new).toList();
        return name -> patterns.stream().anyMatch(pattern -> pattern.matches(name));
    }
}
