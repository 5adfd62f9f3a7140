package dev.execserver.server.rules;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rules about the connections of one command: the operator's, as they are now, and its client's. The operator's allow nothing that
 * the client does not. Any thread.
 */
public final class NetworkRules {
    /** No rules. */
    public static final NetworkRules NONE = new NetworkRules(() -> RuleSet.EMPTY, List.of());

    private final Supplier<RuleSet> operator;
    private final List<NetworkRule> client;
    private volatile Known known;

    private record Known(RuleSet operator, List<NetworkRule> all) {}

    public NetworkRules(Supplier<RuleSet> operator, List<NetworkRule> client) {
        this.operator = operator;
        this.client = List.copyOf(client);
        this.known = joined(operator.get());
    }

    private Known joined(RuleSet rules) {
        return new Known(
                rules,
                Stream.concat(
                                rules.network().stream().filter(rule -> rule.decision() != RuleDecision.ALLOW),
                                client.stream())
                        .toList());
    }

    /** Returns all rules; the same list as long as none has changed. */
    public List<NetworkRule> now() {
        RuleSet rules = operator.get();
        Known last = known;
        if (last.operator() != rules) {
            last = joined(rules);
            known = last;
        }
        return last.all();
    }

    /** Returns the rules of the client, which stay as they are. */
    public List<NetworkRule> client() {
        return client;
    }
}
