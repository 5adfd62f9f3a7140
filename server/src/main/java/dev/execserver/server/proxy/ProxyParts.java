package dev.execserver.server.proxy;

import dev.execserver.server.proxy.rules.ConnectionPolicy;
import dev.execserver.server.proxy.rules.DecisionReporter;
import dev.execserver.server.proxy.rules.ProxyBounds;
import dev.execserver.server.proxy.rules.RunningPolicy;
import java.time.Duration;

/**
 * Parts that the services of one proxy share.
 *
 * @param limited true if the mode permits only reading requests
 * @param longestWait longest time that a connection may wait for the client, for names and idle before it is ended
 */
record ProxyParts(
        AccessLog log,
        RunningPolicy policy,
        DecisionReporter reports,
        Outgoing outgoing,
        ProxyBounds bounds,
        boolean limited,
        Duration longestWait) {
    /** Returns the policy as its rules are now. */
    ConnectionPolicy judge() {
        return policy.now();
    }
}
