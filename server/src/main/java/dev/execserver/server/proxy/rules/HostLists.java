package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.NetworkProtocol;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.server.rules.NetworkRule;
import dev.execserver.server.rules.RuleDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Host lists of one process. Hosts without a star are found by name, patterns are tried one after another. Immutable.
 */
final class HostLists {

    /** The patterns of one rule. */
    private static final class Patterns {
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
                    .or(() -> globs.stream()
                            .filter(pattern -> pattern.matches(host))
                            .findFirst());
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

        Optional<HostPattern> find(String host, int port) {
            return Optional.ofNullable(hosts.get(host))
                    .or(() -> globs.stream()
                            .filter(pattern -> pattern.matches(host, port))
                            .findFirst());
        }
    }

    private final Patterns allowed = new Patterns();
    private final Patterns denied = new Patterns();
    private final Patterns reviewed = new Patterns();
    private final RuledHosts ruled;

    /** @throws dev.execserver.protocol.rpc.RpcException -32602 for an invalid pattern, or for too many patterns */
    HostLists(NetworkProxySettings settings) {
        this(settings, List.of());
    }

    /**
     * Makes lists with rules, of which the denying ones hold before the lists.
     *
     * @throws dev.execserver.protocol.rpc.RpcException as the other constructor
     */
    HostLists(NetworkProxySettings settings, List<NetworkRule> rules) {
        this.ruled = new RuledHosts(rules);
        int count = settings.domains().size() + settings.reviewDomains().size();
        if (count > ProxyBounds.MAX_PATTERNS) {
            throw HostPattern.invalid(
                    count + " domain patterns are more than the limit of " + ProxyBounds.MAX_PATTERNS);
        }
        settings.domains().forEach((text, rule) -> add(text, rule, settings.allowLocalBinding()));
        settings.reviewDomains().forEach(text -> {
            HostPattern pattern = HostPattern.parse(text);
            PatternChecks.requireReachable(pattern, settings.allowLocalBinding());
            reviewed.add(pattern);
        });
    }

    private void add(String text, DomainRule rule, boolean localBinding) {
        HostPattern pattern = HostPattern.parse(text);
        switch (rule) {
            case ALLOW -> {
                PatternChecks.requireReachable(pattern, localBinding);
                allowed.add(pattern);
            }
            case DENY -> {
                if (pattern.any()) {
                    throw HostPattern.invalid("invalid value for network.denied_domains: " + text
                            + " (allowed exact hosts or scoped wildcards like *.example.com or **.example.com)");
                }
                denied.add(pattern);
            }
            case NONE -> {}
        }
    }

    /**
     * Returns the pattern that denies a host. Ignores a port in the pattern, so that it denies more rather than less.
     */
    Optional<HostPattern> denying(NetworkProtocol protocol, String host) {
        return denied.find(host).or(() -> ruled.find(protocol, host, RuleDecision.FORBIDDEN));
    }

    /** Returns every pattern of the deny list that matches the host, or the IPv4 address that it carries. */
    List<HostPattern> allDenying(String host) {
        List<HostPattern> all = new ArrayList<>(denied.all(host));
        HostName.literal(host)
                .flatMap(AddressScope::carried)
                .ifPresent(carried -> all.addAll(denied.all(HostName.text(carried))));
        return all;
    }

    /** Returns true if a network rule forbids the host, or the IPv4 address that it carries. */
    boolean forbiddenByRule(NetworkProtocol protocol, String host) {
        return ruled.find(protocol, host, RuleDecision.FORBIDDEN).isPresent()
                || HostName.literal(host)
                        .flatMap(AddressScope::carried)
                        .flatMap(carried -> ruled.find(protocol, HostName.text(carried), RuleDecision.FORBIDDEN))
                        .isPresent();
    }

    /** Returns a pattern of the allow list that matches the host, with any port. */
    Optional<HostPattern> allowedElsewhere(String host) {
        return allowed.find(host);
    }

    /** Returns true if the allow list has this host with any port. */
    boolean allowedSomewhere(NetworkProtocol protocol, String host) {
        return allowed.find(host).isPresent()
                || ruled.find(protocol, host, RuleDecision.ALLOW).isPresent();
    }

    Optional<HostPattern> allowing(NetworkProtocol protocol, String host, int port) {
        return allowed.find(host, port).or(() -> ruled.find(protocol, host, RuleDecision.ALLOW));
    }

    /** Returns true if the client must be asked about a host although it is allowed. */
    boolean reviewed(NetworkProtocol protocol, String host) {
        return reviewed.find(host).isPresent()
                || ruled.find(protocol, host, RuleDecision.PROMPT).isPresent();
    }

    /** Returns true if the allow list has this host by name, not only by a pattern with a star. */
    boolean namesExactly(NetworkProtocol protocol, String host, int port) {
        return allowed.names(host, port)
                || ruled.find(protocol, host, RuleDecision.ALLOW).isPresent();
    }
}
