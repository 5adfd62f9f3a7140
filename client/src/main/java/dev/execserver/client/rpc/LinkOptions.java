package dev.execserver.client.rpc;

import java.time.Duration;
import java.util.Optional;

/**
 * Settings of a link.
 *
 * @param resumeSessionId session to attach to; empty begins one
 * @param takeover true to attach even if another connection holds the session, on servers that support it
 * @param sessionTtl time for which the session should outlive a connection
 * @param sessionName name of the session for people
 * @param nativePaths true to write native paths even to servers that have sessions
 * @param reconnect policy after a loss
 * @param pingInterval time between questions for a sign of life, on WebSockets
 */
public record LinkOptions(
        String clientName,
        Optional<String> resumeSessionId,
        boolean takeover,
        Optional<Duration> sessionTtl,
        Optional<String> sessionName,
        boolean nativePaths,
        Duration connectTimeout,
        Duration initializeTimeout,
        Reconnect reconnect,
        Duration pingInterval) {

    /**
     * Policy after a loss.
     *
     * @param window time for which attempts go on
     * @param delay between two attempts; the first is made at once
     */
    public record Reconnect(boolean enabled, Duration window, Duration delay) {}
}
