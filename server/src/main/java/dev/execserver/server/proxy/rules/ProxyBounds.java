package dev.execserver.server.proxy.rules;

import java.time.Duration;

/**
 * Limits of one proxy: sizes, numbers and times.
 *
 * @param connections open connections of one process, fewer if the server may open few descriptors; further ones wait
 * in the queue of the listening socket
 * @param allConnections open connections of all processes; further ones are closed
 * @param headBytes bytes of a request or response up to its empty line
 * @param headTime time from the first byte of a request to the end of its head, and time for a SOCKS handshake
 * @param keepAlive time to wait for the next request on a connection
 * @param idle time without a byte in either direction
 * @param connect time to connect to one address
 * @param connectAll time to connect to any address of a host
 * @param lookup time to look up a name
 * @param lookups look-ups of one process at once; further ones wait within their limit
 * @param questions unanswered questions of one process to the client
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

    /** Longest wait for the answer to a question, even if the client allows more. */
    public static final Duration LONGEST_QUESTION = Duration.ofHours(24);

    /** Largest number of patterns of one process, in all lists. */
    public static final int MAX_PATTERNS = 10_000;

    /** Largest number of programs of one process that have lists of their own. */
    public static final int MAX_PROGRAMS = 256;
}
