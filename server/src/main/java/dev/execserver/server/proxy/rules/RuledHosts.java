package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.NetworkProtocol;
import dev.execserver.server.rules.NetworkRule;
import dev.execserver.server.rules.RuleDecision;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hosts of network rules. A rule is about one protocol, other than a domain of the lists; of several rules about a host the
 * strictest counts. Immutable.
 */
final class RuledHosts {
    private final Map<NetworkProtocol, Map<String, RuleDecision>> decisions = new EnumMap<>(NetworkProtocol.class);

    RuledHosts(List<NetworkRule> rules) {
        for (NetworkRule rule : rules) {
            // What is no host for the proxy is asked for by nobody.
            HostName.normalize(rule.host())
                    .ifPresent(host -> decisions
                            .computeIfAbsent(protocol(rule.protocol()), _ -> new HashMap<>())
                            .merge(host, rule.decision(), RuledHosts::stricter));
        }
    }

    private static RuleDecision stricter(RuleDecision one, RuleDecision other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static NetworkProtocol protocol(NetworkRule.Protocol protocol) {
        return switch (protocol) {
            case HTTP -> NetworkProtocol.HTTP;
            case HTTPS -> NetworkProtocol.HTTPS_CONNECT;
            case SOCKS5_TCP -> NetworkProtocol.SOCKS5_TCP;
            case SOCKS5_UDP -> NetworkProtocol.SOCKS5_UDP;
        };
    }

    /** Returns the pattern of a host about which the rules have this decision. */
    Optional<HostPattern> find(NetworkProtocol protocol, String host, RuleDecision decision) {
        return decisions.getOrDefault(protocol, Map.of()).get(host) == decision
                ? Optional.of(HostPattern.parse(HostName.bracketed(host)))
                : Optional.empty();
    }
}
