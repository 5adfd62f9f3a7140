package dev.execserver.server;

/**
 * Decides when a full collection of the heap is due: when the heap has grown, and once each time a server that holds
 * much more than at its start comes to rest. Without the second rule the garbage of a busy time would stay until the
 * next growth. Used by one thread, which asks once a second.
 */
final class CollectionPolicy {

    /** A collection is due when the heap has grown by this much since the last one. */
    static final long GROWTH_BYTES = 96 * 1024 * 1024L;

    /** A server at rest may hold this much more than at its start. */
    static final long SPARE_BYTES = 32 * 1024 * 1024L;

    /** A server is at rest if it has allocated less than {@link #CALM_BYTES} in each of this many seconds. */
    static final int CALM_SECONDS = 10;

    static final long CALM_BYTES = 1024 * 1024L;

    private final long committedAtStart;
    private long committedAfterLast;
    private long usedBefore;
    private int calmSeconds;

    /** @param committed bytes of heap that the JVM has from the system */
    CollectionPolicy(long committed) {
        committedAtStart = committed;
        committedAfterLast = committed;
    }

    /**
     * Returns true if a collection is due.
     *
     * @param committed bytes of heap that the JVM has from the system
     * @param used bytes of the heap that hold objects, garbage included
     */
    boolean due(long committed, long used) {
        calmSeconds = Math.abs(used - usedBefore) < CALM_BYTES ? calmSeconds + 1 : 0;
        usedBefore = used;
        boolean rested = calmSeconds == CALM_SECONDS && committed - committedAtStart >= SPARE_BYTES;
        return rested || committed - committedAfterLast >= GROWTH_BYTES;
    }

    /** Records that a collection has taken place, for any reason. A calm time that it falls into is not interrupted. */
    void collected(long committed, long used) {
        committedAfterLast = committed;
        usedBefore = used;
    }
}
