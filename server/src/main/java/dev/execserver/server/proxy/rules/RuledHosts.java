package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.NetworkProtocol;
import dev.execserver.server.rules.NetworkRule;
import dev.execserver.server.rules.RuleDecision;
import dev.execserver.server.rules.RuledProgram;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Hosts of network rules. A rule is about one protocol, other than a domain of the lists, and perhaps about one program; of several rules
 * about a connection the strictest counts. Immutable.
 */
final class RuledHosts {

    private final Map<NetworkProtocol, Map<String, List<Decision>>> decisions = new EnumMap<>(NetworkProtocol.class);

    /** Decision of one rule about its host. */
    private record Decision(RuleDecision decision, Optional<RuledProgram> program) {
        /** Returns true if the rule is about the connection: one that allows must surely be, others may. */
        boolean about(ProxyDestination target) {
            return program.isEmpty()
                    || (decision == RuleDecision.ALLOW
                            ? program.get().is(target.program())
                            : program.get().maybe(target.program()));
        }
    }

    /** @param programs finds the program that a rule names */
    RuledHosts(List<NetworkRule> rules, Function<String, RuledProgram> programs) {
        for (NetworkRule rule : rules) {
            Optional<RuledProgram> program = rule.program().map(programs);
            // What is no host for the proxy is asked for by nobody.
            HostName.normalize(rule.host())
                    .ifPresent(host -> decisions
                            .computeIfAbsent(protocol(rule.protocol()), _ -> new HashMap<>())
                            .computeIfAbsent(host, _ -> new ArrayList<>(1))
                            .add(new Decision(rule.decision(), program)));
        }
    }

    private static NetworkProtocol protocol(NetworkRule.Protocol protocol) {
        return switch (protocol) {
            case HTTP -> NetworkProtocol.HTTP;
            case HTTPS -> NetworkProtocol.HTTPS_CONNECT;
            case SOCKS5_TCP -> NetworkProtocol.SOCKS5_TCP;
            case SOCKS5_UDP -> NetworkProtocol.SOCKS5_UDP;
        };
    }

    /** Returns the names of this machine that rules are about. */
    Stream<String> localNames() {
        return decisions.values().stream()
                .flatMap(hosts -> hosts.keySet().stream())
                .filter(LocalNames::local);
    }

    private List<Decision> about(ProxyDestination target) {
        return decisions.getOrDefault(target.protocol(), Map.of()).getOrDefault(target.host(), List.of());
    }

    private static Optional<HostRule> rule(ProxyDestination target, Optional<Decision> decided) {
        return decided.map(decision -> new HostRule(
                HostPattern.parse(HostName.bracketed(target.host())),
                decision.program().map(RuledProgram::text)));
    }

    /** Returns the rule about a connection if this is its decision and no other rule is stricter. */
    Optional<HostRule> find(ProxyDestination target, RuleDecision decision) {
        Optional<Decision> strictest = about(target).stream()
                .filter(rule -> rule.about(target))
                .max((one, other) -> one.decision().compareTo(other.decision()));
        return rule(target, strictest.filter(rule -> rule.decision() == decision));
    }

    /** Returns the rule that forbids the host to every program. */
    Optional<HostRule> forbiddenToAll(ProxyDestination target) {
        return rule(
                target,
                about(target).stream()
                        .filter(rule -> rule.program().isEmpty() && rule.decision() == RuleDecision.FORBIDDEN)
                        .findFirst());
    }

    /** Returns the rule that allows the host to a program; others may be stricter. */
    Optional<HostRule> allowedToOne(ProxyDestination target) {
        return rule(
                target,
                about(target).stream()
                        .filter(rule -> rule.program().isPresent() && rule.decision() == RuleDecision.ALLOW)
                        .findFirst());
    }
}
