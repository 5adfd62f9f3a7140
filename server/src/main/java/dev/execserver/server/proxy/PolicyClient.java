package dev.execserver.server.proxy;

import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import java.time.Duration;
import java.util.Optional;

/** The client of the process as its proxy sees it. */
public interface PolicyClient {

    /**
     * Asks and waits for the answer, as long as {@code limit} allows, over a reconnect if need be.
     *
     * @return empty when none came, or none that can be understood
     */
    Optional<PolicyAnswer> ask(PolicyRequest request, Duration limit) throws InterruptedException;

    /** Tells what was decided. Never waits. */
    void decided(PolicyDecision decision);
}
