package dev.execserver.server.proxy.rules;

import dev.execserver.server.rules.NetworkRule;
import dev.execserver.server.rules.NetworkRules;
import dev.execserver.server.rules.RuledProgram;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The policy of one proxy as its rules are now. Each connection takes it once, so that it is decided by the rules of one moment. The
 * program of a rule stays the file that it was when the rules first named it. Any thread.
 */
public final class RunningPolicy {
    private final ProxyPolicy given;
    private final NetworkRules rules;
    private final Questions questions;
    private final DecisionReporter reports;
    private final Resolver names;
    private final OwnPorts ownPorts;
    private final Map<String, RuledProgram> programs = new ConcurrentHashMap<>();
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
        ProxyPolicy policy = given.with(latest, this::program);
        return new Known(latest, new ConnectionPolicy(policy, questions, reports, names, ownPorts));
    }

    private RuledProgram program(String path) {
        return programs.computeIfAbsent(path, RuledProgram::of);
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
