package dev.execserver.server.proxy.rules;

import dev.execserver.server.rules.NetworkRule;
import dev.execserver.server.rules.NetworkRules;
import java.util.List;

/**
 * The policy of one proxy as its rules are now. Each connection takes it once, so that it is decided by the rules of one moment. Any
 * thread.
 */
public final class RunningPolicy {
    private final ProxyPolicy given;
    private final NetworkRules rules;
    private final Questions questions;
    private final DecisionReporter reports;
    private final Resolver names;
    private final OwnPorts ownPorts;
    private volatile Known known;

    private record Known(List<NetworkRule> rules, ConnectionPolicy policy) {}

    public RunningPolicy(
            ProxyPolicy given,
            NetworkRules rules,
            Questions questions,
            DecisionReporter reports,
            Resolver names,
            OwnPorts ownPorts) {
        this.given = given;
        this.rules = rules;
        this.questions = questions;
        this.reports = reports;
        this.names = names;
        this.ownPorts = ownPorts;
        this.known = made(rules.now());
    }

    private Known made(List<NetworkRule> latest) {
        return new Known(latest, new ConnectionPolicy(given.with(latest), questions, reports, names, ownPorts));
    }

    /** Returns the policy for one connection. */
    public ConnectionPolicy now() {
        List<NetworkRule> latest = rules.now();
        Known last = known;
        if (last.rules() != latest) {
            last = made(latest);
            known = last;
        }
        return last.policy();
    }
}
