package dev.execserver.server.config;

import static dev.execserver.server.config.Sizes.GIB;
import static dev.execserver.server.config.Sizes.KIB;
import static dev.execserver.server.config.Sizes.MIB;

/**
 * Upper bounds. Requests that exceed one are answered with an error that names it; nothing grows without bound.
 *
 * @param concurrentRequests ordinary requests of one connection that run at once; control requests do not count
 * @param maxConnections open connections of the server
 * @param maxSessions sessions of the server, detached ones included
 * @param maxProcesses processes of one session, retained exited ones included
 * @param maxInFlightBytes bytes of one connection's requests that were received and not yet answered
 * @param requestMemoryBytes bytes that requests, answers and input of all clients may hold
 * @param stdinQueueBytes bytes of stdin that one process has not yet read
 * @param maxHelpers processes that run file calls in sandboxes, at once
 * @param fsThreads platform threads for file-system work, so that no virtual thread blocks in the kernel
 */
public record Limits(
        int concurrentRequests,
        int maxConnections,
        int maxSessions,
        int maxProcesses,
        long maxInFlightBytes,
        long requestMemoryBytes,
        long stdinQueueBytes,
        int maxHelpers,
        int fsThreads) {
    public static final int DEFAULT_CONCURRENT_REQUESTS = 4_096;
    public static final int DEFAULT_MAX_CONNECTIONS = 4_096;
    public static final int DEFAULT_MAX_SESSIONS = 4_096;
    public static final int DEFAULT_MAX_PROCESSES = 4_096;
    public static final long DEFAULT_MAX_IN_FLIGHT_BYTES = 256 * MIB;
    /**
     * Half of the heap, but at most 512 MiB, which is twice the need of four messages of the largest size. With more, hundreds of
     * peers that read no answers would make the server larger than 512 MiB.
     */
    public static final long DEFAULT_REQUEST_MEMORY_BYTES =
            Math.min(512 * MIB, Runtime.getRuntime().maxMemory() / 2);

    public static final long DEFAULT_STDIN_QUEUE_BYTES = 32 * MIB;
    public static final int DEFAULT_MAX_HELPERS = 8;
    public static final int DEFAULT_FS_THREADS = 8;

    public static final int LARGEST_COUNT = 1_000_000;
    /** The largest message, 64 MiB, must fit, or it could never be served. */
    public static final long SMALLEST_IN_FLIGHT_BYTES = 64 * MIB;

    /** Below this, the share of the answers, a quarter, would be too small to be useful. */
    public static final long SMALLEST_REQUEST_MEMORY_BYTES = 8 * MIB;

    public static final long SMALLEST_STDIN_QUEUE_BYTES = 4 * KIB;
    public static final long LARGEST_BYTES = 1_024 * GIB;
    public static final int SMALLEST_FS_THREADS = 2;
    public static final int LARGEST_FS_THREADS = 256;

    public static final Limits DEFAULTS = new Limits(
            DEFAULT_CONCURRENT_REQUESTS,
            DEFAULT_MAX_CONNECTIONS,
            DEFAULT_MAX_SESSIONS,
            DEFAULT_MAX_PROCESSES,
            DEFAULT_MAX_IN_FLIGHT_BYTES,
            DEFAULT_REQUEST_MEMORY_BYTES,
            DEFAULT_STDIN_QUEUE_BYTES,
            DEFAULT_MAX_HELPERS,
            DEFAULT_FS_THREADS);

    public Limits {
        Checks.range("concurrentRequests", concurrentRequests, 1, LARGEST_COUNT);
        Checks.range("maxConnections", maxConnections, 1, LARGEST_COUNT);
        Checks.range("maxSessions", maxSessions, 1, LARGEST_COUNT);
        Checks.range("maxProcesses", maxProcesses, 1, LARGEST_COUNT);
        Checks.range("maxInFlightBytes", maxInFlightBytes, SMALLEST_IN_FLIGHT_BYTES, LARGEST_BYTES);
        Checks.range("requestMemoryBytes", requestMemoryBytes, SMALLEST_REQUEST_MEMORY_BYTES, LARGEST_BYTES);
        Checks.range("stdinQueueBytes", stdinQueueBytes, SMALLEST_STDIN_QUEUE_BYTES, LARGEST_BYTES);
        Checks.range("maxHelpers", maxHelpers, 1, LARGEST_COUNT);
        Checks.range("fsThreads", fsThreads, SMALLEST_FS_THREADS, LARGEST_FS_THREADS);
    }

    public Limits withConcurrentRequests(int requests) {
        return new Limits(
                requests,
                maxConnections,
                maxSessions,
                maxProcesses,
                maxInFlightBytes,
                requestMemoryBytes,
                stdinQueueBytes,
                maxHelpers,
                fsThreads);
    }

    public Limits withMaxConnections(int connections) {
        return new Limits(
                concurrentRequests,
                connections,
                maxSessions,
                maxProcesses,
                maxInFlightBytes,
                requestMemoryBytes,
                stdinQueueBytes,
                maxHelpers,
                fsThreads);
    }

    public Limits withMaxSessions(int sessions) {
        return new Limits(
                concurrentRequests,
                maxConnections,
                sessions,
                maxProcesses,
                maxInFlightBytes,
                requestMemoryBytes,
                stdinQueueBytes,
                maxHelpers,
                fsThreads);
    }

    public Limits withMaxProcesses(int processes) {
        return new Limits(
                concurrentRequests,
                maxConnections,
                maxSessions,
                processes,
                maxInFlightBytes,
                requestMemoryBytes,
                stdinQueueBytes,
                maxHelpers,
                fsThreads);
    }

    public Limits withMaxInFlightBytes(long bytes) {
        return new Limits(
                concurrentRequests,
                maxConnections,
                maxSessions,
                maxProcesses,
                bytes,
                requestMemoryBytes,
                stdinQueueBytes,
                maxHelpers,
                fsThreads);
    }

    public Limits withRequestMemoryBytes(long bytes) {
        return new Limits(
                concurrentRequests,
                maxConnections,
                maxSessions,
                maxProcesses,
                maxInFlightBytes,
                bytes,
                stdinQueueBytes,
                maxHelpers,
                fsThreads);
    }

    public Limits withStdinQueueBytes(long bytes) {
        return new Limits(
                concurrentRequests,
                maxConnections,
                maxSessions,
                maxProcesses,
                maxInFlightBytes,
                requestMemoryBytes,
                bytes,
                maxHelpers,
                fsThreads);
    }

    public Limits withMaxHelpers(int helpers) {
        return new Limits(
                concurrentRequests,
                maxConnections,
                maxSessions,
                maxProcesses,
                maxInFlightBytes,
                requestMemoryBytes,
                stdinQueueBytes,
                helpers,
                fsThreads);
    }

    public Limits withFsThreads(int threads) {
        return new Limits(
                concurrentRequests,
                maxConnections,
                maxSessions,
                maxProcesses,
                maxInFlightBytes,
                requestMemoryBytes,
                stdinQueueBytes,
                maxHelpers,
                threads);
    }
}
