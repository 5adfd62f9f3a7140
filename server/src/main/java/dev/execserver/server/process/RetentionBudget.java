package dev.execserver.server.process;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What all processes of the server together may keep of their output: bytes in memory, bytes in memory and spill files
 * together, and events, which take memory wherever their bytes are. Any thread; no locks but that of the pace.
 */
public final class RetentionBudget {

    /**
     * How fast output that nobody is there to take goes to spill files, all processes together. Ordinary programs say far
     * less; without this, fifty that say as much as they can would fill the disk and keep every core busy when a
     * connection is lost.
     */
    static final long UNATTENDED_BYTES_PER_SECOND = 64 * 1024 * 1024L;

    /** Memory may pass its bound by a half before processes keep next to nothing in it. */
    private static final double CRITICAL = 1.5;

    private final long maxMemoryBytes;
    private final long maxTotalBytes;
    private final AtomicLong memoryBytes = new AtomicLong();
    private final AtomicLong totalBytes = new AtomicLong();
    /** What all events take beside their bytes; no spill file can take that over. */
    private final AtomicLong eventBytes = new AtomicLong();

    private final Pace unattended =
            new Pace(UNATTENDED_BYTES_PER_SECOND, UNATTENDED_BYTES_PER_SECOND, System.nanoTime());

    public RetentionBudget(long maxMemoryBytes, long maxTotalBytes) {
        this.maxMemoryBytes = maxMemoryBytes;
        this.maxTotalBytes = maxTotalBytes;
    }

    /** Reports a change of what one log keeps. */
    void add(long memory, long total) {
        memoryBytes.addAndGet(memory);
        totalBytes.addAndGet(total);
    }

    /** Reports how many events one log keeps more than before, in memory or in its spill file. */
    void addEvents(long count) {
        eventBytes.addAndGet(count * EntryRing.EVENT_BYTES);
    }

    /** Asks to move bytes to a spill file that no client is attached to take. */
    boolean mayMoveUnattended(long bytes) {
        return unattended.take(bytes, System.nanoTime());
    }

    /** True when logs should keep less in memory than they otherwise would. */
    boolean memoryShort() {
        return memoryBytes.get() + eventBytes.get() > maxMemoryBytes;
    }

    /** True when logs should keep as little in memory as they can. */
    boolean memoryCritical() {
        return memoryBytes.get() + eventBytes.get() > maxMemoryBytes * CRITICAL;
    }

    /** True when no more events may be kept before some are dropped, however small they are. */
    boolean crowded() {
        return eventBytes.get() > maxMemoryBytes / 2;
    }

    /** True when nothing more may be kept before something is dropped. */
    boolean exhausted() {
        return totalBytes.get() > maxTotalBytes;
    }

    public long memoryBytes() {
        return memoryBytes.get();
    }

    public long eventBytes() {
        return eventBytes.get();
    }

    public long totalBytes() {
        return totalBytes.get();
    }
}
