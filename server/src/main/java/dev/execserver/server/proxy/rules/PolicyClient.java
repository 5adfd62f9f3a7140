package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import java.time.Duration;
import java.util.Optional;

/** The client of a process, as its proxy sees it. */
public interface PolicyClient {

    /**
     * Asks the client and waits for the answer, at most for {@code limit} and across a reconnect if necessary.
     *
     * @return empty if no valid answer came in time
     */
    Optional<PolicyAnswer> ask(PolicyRequest request, Duration limit) throws InterruptedException;

    /** Reports a decision. Never waits. */
    void decided(PolicyDecision decision);
}
