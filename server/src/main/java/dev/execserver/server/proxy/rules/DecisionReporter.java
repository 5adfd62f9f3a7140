package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.PolicyDecision;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Reports every decision to the client, and remembers the last refusal. Any thread. */
public final class DecisionReporter {

    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final String processId;
    private final PolicyClient client;
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
