package dev.execserver.server;

/**
 * When the heap is worth a full collection: when it has grown, and once whenever a server that holds much more than at its
 * start comes to rest, because what a busy time has left behind would stay until the next growth. For one thread, which asks
 * once a second.
 */
final class HeapWatch {

    /** A collection is due when the heap has grown by this much since the last one. */
    static final long GROWTH_BYTES = 96 * 1024 * 1024L;

    /** A server at rest may hold this much more than at its start. */
    static final long SPARE_BYTES = 32 * 1024 * 1024L;

    /** At rest is a server that has allocated less than {@link #CALM_BYTES} in each of so many seconds. */
    static final int CALM_SECONDS = 10;

    static final long CALM_BYTES = 1024 * 1024L;

    private final long committedAtStart;
    private long committedAfterLast;
    private long usedBefore;
    private int calmSeconds;

    /** @param committed bytes that the heap has from the system */
    HeapWatch(long committed) {
        committedAtStart = committed;
        committedAfterLast = committed;
    }

    /** @param used bytes of the heap that hold something, garbage included */
    boolean due(long committed, long used) {
        calmSeconds = Math.abs(used - usedBefore) < CALM_BYTES ? calmSeconds + 1 : 0;
        usedBefore = used;
        boolean rested = calmSeconds == CALM_SECONDS && committed - committedAtStart >= SPARE_BYTES;
        return rested || committed - committedAfterLast >= GROWTH_BYTES;
    }

    /** A collection has taken place, for whatever reason. A calm time that went on through it stays the same. */
    void collected(long committed, long used) {
        committedAfterLast = committed;
        usedBefore = used;
    }
}
