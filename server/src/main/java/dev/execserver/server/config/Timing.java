package dev.execserver.server.config;

import dev.execserver.cli.local.Durations;
import java.time.Duration;

/**
 * Time limits.
 *
 * @param sessionTtl time for which a session outlives its connection; zero ends it with the connection
 * @param sessionTtlMax longest time to live that a client may ask for
 * @param shutdownGrace time between TERM and KILL for processes when the server ends; zero kills at once
 * @param pingInterval time between keep-alive pings; zero sends none
 * @param peerTimeout a connection that sends nothing for this time, not even a pong, is dropped; zero never drops
 * @param requestTimeout time within which an HTTP request must arrive, and idle time of an HTTP connection before it
 *     becomes a WebSocket
 * @param credentialOverlap time for which a replaced token or key is accepted beside the new one
 */
public record Timing(
        Duration sessionTtl,
        Duration sessionTtlMax,
        Duration shutdownGrace,
        Duration pingInterval,
        Duration peerTimeout,
        Duration requestTimeout,
        Duration credentialOverlap) {
    public static final Duration DEFAULT_SESSION_TTL = Duration.ofSeconds(80);
    public static final Duration DEFAULT_SESSION_TTL_MAX = Duration.ofHours(24);
    public static final Duration DEFAULT_SHUTDOWN_GRACE = Duration.ZERO;
    public static final Duration DEFAULT_PING_INTERVAL = Duration.ofSeconds(30);
    public static final Duration DEFAULT_PEER_TIMEOUT = Duration.ofSeconds(90);
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);

    public static final Duration DEFAULT_CREDENTIAL_OVERLAP = Duration.ZERO;

    public static final Duration LONGEST_SESSION_TTL = Duration.ofHours(24 * 7);
    public static final Duration LONGEST = Duration.ofHours(1);
    public static final Duration LONGEST_CREDENTIAL_OVERLAP = Duration.ofHours(24 * 7);
    public static final Duration SHORTEST_REQUEST_TIMEOUT = Duration.ofMillis(100);

    public static final Timing DEFAULTS = new Timing(
            DEFAULT_SESSION_TTL,
            DEFAULT_SESSION_TTL_MAX,
            DEFAULT_SHUTDOWN_GRACE,
            DEFAULT_PING_INTERVAL,
            DEFAULT_PEER_TIMEOUT,
            DEFAULT_REQUEST_TIMEOUT,
            DEFAULT_CREDENTIAL_OVERLAP);

    public Timing {
        Checks.range("sessionTtlMax", sessionTtlMax, Duration.ZERO, LONGEST_SESSION_TTL);
        Checks.range("sessionTtl", sessionTtl, Duration.ZERO, sessionTtlMax);
        Checks.range("shutdownGrace", shutdownGrace, Duration.ZERO, LONGEST);
        Checks.range("pingInterval", pingInterval, Duration.ZERO, LONGEST);
        Checks.range("peerTimeout", peerTimeout, Duration.ZERO, LONGEST);
        Checks.range("requestTimeout", requestTimeout, SHORTEST_REQUEST_TIMEOUT, LONGEST);
        Checks.range("credentialOverlap", credentialOverlap, Duration.ZERO, LONGEST_CREDENTIAL_OVERLAP);
        // If this limit were shorter than the time between two pings, every idle client would be dropped.
        if (peerTimeout.isPositive() && (pingInterval.isZero() || peerTimeout.compareTo(pingInterval) <= 0)) {
            throw new IllegalArgumentException("peerTimeout must be 0 or longer than pingInterval (%s), which must not "
                            .formatted(Durations.format(pingInterval))
                    + "be 0 then: " + Durations.format(peerTimeout));
        }
    }

    public Timing withSessionTtl(Duration ttl, Duration max) {
        return new Timing(ttl, max, shutdownGrace, pingInterval, peerTimeout, requestTimeout, credentialOverlap);
    }

    public Timing withShutdownGrace(Duration grace) {
        return new Timing(
                sessionTtl, sessionTtlMax, grace, pingInterval, peerTimeout, requestTimeout, credentialOverlap);
    }

    public Timing withKeepAlive(Duration interval, Duration timeout) {
        return new Timing(
                sessionTtl, sessionTtlMax, shutdownGrace, interval, timeout, requestTimeout, credentialOverlap);
    }

    public Timing withRequestTimeout(Duration timeout) {
        return new Timing(
                sessionTtl, sessionTtlMax, shutdownGrace, pingInterval, peerTimeout, timeout, credentialOverlap);
    }

    public Timing withCredentialOverlap(Duration overlap) {
        return new Timing(sessionTtl, sessionTtlMax, shutdownGrace, pingInterval, peerTimeout, requestTimeout, overlap);
    }
}
