package dev.execserver.client.network;

import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;

/**
 * Decides if a process may connect to a host that the lists of its proxy do not decide about. It is asked only for
 * processes whose {@code networkProxy} has a {@code policyDecisionTimeoutMs}.
 */
@FunctionalInterface
public interface NetworkPolicy {

    /** Denies everything that the lists do not allow. */
    NetworkPolicy DENY = request -> new PolicyAnswer.Deny("not_allowed");

    /**
     * Answers one question, on a virtual thread of its own, and may wait for a person. The server waits for the time
     * that the process was started with. An exception or a late answer counts as denial.
     */
    PolicyAnswer decide(PolicyRequest request);

    /**
     * Reports a decision, of this policy or of the lists. The reader thread of the connection calls it, so it must not
     * wait.
     */
    default void decided(PolicyDecision decision) {
        // few policies need it
    }
}
