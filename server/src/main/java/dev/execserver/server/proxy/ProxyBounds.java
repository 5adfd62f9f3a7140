package dev.execserver.server.proxy;

import java.time.Duration;

/**
 * What one proxy may cost and how long it waits.
 *
 * @param connections of one process at once, fewer where the server may have few descriptors; further ones wait in the queue of the listening socket
 * @param allConnections of all processes at once; further ones are closed
 * @param headBytes of a request or response up to its empty line
 * @param headTime from the first byte of a request to the end of its head, and for a SOCKS handshake
 * @param keepAlive for the next request on a connection
 * @param idle without a byte in either direction
 * @param connect for one address
 * @param connectAll for all addresses of a host
 * @param lookup for a name
 * @param lookups of names at once, of one process; further ones wait within their limit
 * @param questions to the client that wait for an answer, of one process
 */
public record ProxyBounds(
        int connections,
        int allConnections,
        int headBytes,
        Duration headTime,
        Duration keepAlive,
        Duration idle,
        Duration connect,
        Duration connectAll,
        Duration lookup,
        int lookups,
        int questions) {

    public static final ProxyBounds DEFAULT = new ProxyBounds(
            1024,
            8192,
            64 * 1024,
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofMinutes(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            8,
            64);

    /** No question waits longer, whatever the client says. */
    public static final Duration LONGEST_QUESTION = Duration.ofHours(24);

    /** Patterns of one process, over all lists. */
    public static final int MAX_PATTERNS = 10_000;
}
