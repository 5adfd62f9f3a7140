package dev.execserver.client.network;

import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;

/**
 * What a client says when a process wants to connect to a host that the lists of its proxy do not decide about. Asked only for
 * processes whose {@code networkProxy} has a {@code policyDecisionTimeoutMs}.
 */
@FunctionalInterface
public interface NetworkPolicy {

    /** Nothing that the lists do not allow. */
    NetworkPolicy DENY = request -> new PolicyAnswer.Deny("not_allowed");

    /**
     * Answers one question, on a virtual thread of its own: it may wait for somebody. The server waits as long as the process
     * was started with; what throws, and what comes too late, counts as no.
     */
    PolicyAnswer decide(PolicyRequest request);

    /** Something was decided, here or by the lists. Called by the reader thread of the connection: must not wait. */
    default void decided(PolicyDecision decision) {
        // of interest to few
    }
}
