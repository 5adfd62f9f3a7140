package dev.execserver.server.proxy.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Patterns of hosts that mean the same. Filled by one thread, then read by any. */
final class HostPatterns {
    private final Map<String, HostPattern> hosts = new HashMap<>();
    private final List<HostPattern> globs = new ArrayList<>();

    void add(HostPattern pattern) {
        if (pattern.exact() && pattern.port().isEmpty()) {
            hosts.put(pattern.glob(), pattern);
        } else {
            globs.add(pattern);
        }
    }

    Optional<HostPattern> find(String host) {
        return Optional.ofNullable(hosts.get(host))
                .or(() ->
                        globs.stream().filter(pattern -> pattern.matches(host)).findFirst());
    }

    /** Returns every pattern that matches. */
    List<HostPattern> all(String host) {
        List<HostPattern> all = new ArrayList<>();
        Optional.ofNullable(hosts.get(host)).ifPresent(all::add);
        globs.stream().filter(pattern -> pattern.matches(host)).forEach(all::add);
        return all;
    }

    /** Returns true if a pattern without a star names this host. */
    boolean names(String host, int port) {
        return hosts.containsKey(host)
                || globs.stream().anyMatch(pattern -> pattern.exact() && pattern.matches(host, port));
    }

    /** Returns names of this machine for those patterns that are about it. */
    Stream<String> localNames() {
        return Stream.concat(hosts.values().stream(), globs.stream())
                .flatMap(pattern -> LocalNames.meant(pattern).stream());
    }

    Optional<HostPattern> find(String host, int port) {
        return Optional.ofNullable(hosts.get(host))
                .or(() -> globs.stream()
                        .filter(pattern -> pattern.matches(host, port))
                        .findFirst());
    }
}
