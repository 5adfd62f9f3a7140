package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.ProxyChange;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Reports every decision to the client, and remembers the last refusal and what was observed. Any thread. */
public final class DecisionReporter {

    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    /** Targets that are remembered of a process. */
    private static final int MAX_OBSERVED = 1024;

    private final String processId;
    private final PolicyClient client;
    private final Set<String> observed = ConcurrentHashMap.newKeySet();
    private volatile Optional<RefusalAdvice> lastRefusal = Optional.empty();

    public DecisionReporter(String processId, PolicyClient client) {
        this.processId = processId;
        this.client = client;
    }

    /** @param override true if the client has allowed a host that the lists do not allow */
    void permitted(ProxyDestination target, boolean override) {
        // The reason remains that of the lists, as in the reference server.
        report(
                target,
                override
                        ? new Refusal("domain", "allow", Refusal.DECIDER, Refusal.NOT_ALLOWED)
                        : new Refusal("domain", "allow", Refusal.BASELINE, "allow"),
                override);
    }

    void refused(ProxyDestination target, Ruling.Refused refused) {
        lastRefusal = Optional.of(refused.advice());
        report(target, refused.refusal(), false);
    }

    /** Remembers a target that only mode {@code observe} has let through. */
    void observed(ProxyDestination target) {
        if (observed.size() < MAX_OBSERVED) {
            observed.add(target.authority());
        }
    }

    /** Returns the settings that would allow what was observed; empty if there was nothing. */
    public Optional<ProxyChange> observed() {
        Map<String, DomainRule> domains = new TreeMap<>();
        observed.forEach(target -> domains.put(target, DomainRule.ALLOW));
        return Optional.of(new ProxyChange(domains, Optional.empty())).filter(_ -> !domains.isEmpty());
    }

    /** Returns the explanation of the last refusal. */
    public Optional<RefusalAdvice> lastRefusal() {
        return lastRefusal;
    }

    private void report(ProxyDestination target, Refusal outcome, boolean override) {
        client.decided(new PolicyDecision(
                processId,
                MILLISECONDS.format(Instant.now()),
                outcome.scope(),
                outcome.decision(),
                outcome.source(),
                outcome.reason(),
                target.protocol(),
                target.host(),
                target.port(),
                target.method(),
                Optional.of(target.client().orElse("sandbox")),
                override));
    }
}
