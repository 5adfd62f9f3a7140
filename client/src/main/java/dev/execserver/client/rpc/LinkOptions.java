package dev.execserver.client.rpc;

import java.time.Duration;
import java.util.Optional;

/**
 * How a link is made and kept.
 *
 * @param resumeSessionId session to attach to; empty begins one
 * @param takeover attach even when another connection holds the session; on servers that can
 * @param sessionTtl wish for how long the session shall outlive a connection
 * @param nativePaths paths are written natively to servers that have sessions, too
 * @param reconnect what happens after a loss
 * @param pingInterval time between questions for a sign of life, on WebSockets
 */
public record LinkOptions(
        String clientName,
        Optional<String> resumeSessionId,
        boolean takeover,
        Optional<Duration> sessionTtl,
        boolean nativePaths,
        Duration connectTimeout,
        Duration initializeTimeout,
        Reconnect reconnect,
        Duration pingInterval) {

    /**
     * Policy after a loss.
     *
     * @param window how long attempts go on
     * @param delay between two attempts; the first is made at once
     */
    public record Reconnect(boolean enabled, Duration window, Duration delay) {}
}
