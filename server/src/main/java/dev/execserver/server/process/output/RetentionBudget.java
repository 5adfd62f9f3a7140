package dev.execserver.server.process.output;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits of the output that all processes of the server keep together: bytes in memory, bytes in memory and spill
 * files, and events, whose bookkeeping always takes memory. Any thread; no locks but that of the pace.
 */
public final class RetentionBudget {

    /**
     * Rate at which all processes together may move output to spill files while no client is attached. Ordinary
     * programs write far less. Without it, fifty programs that write as fast as they can would fill the disk and keep
     * every core busy when a connection is lost.
     */
    static final long UNATTENDED_BYTES_PER_SECOND = 64 * 1024 * 1024L;

    /**
     * Rate at which all observers of the server together get output, with the reserve for bursts, in bytes of memory that their answers
     * take, some two and a third times the output: fifty of them on a program that writes as fast as it can, or single bytes, must not
     * take the processors from the clients.
     */
    static final long OBSERVED_BYTES_PER_SECOND = 16 * 1024 * 1024L;

    private static final long OBSERVED_BURST_BYTES = 8 * 1024 * 1024L;

    /** Factor by which memory may exceed its limit before processes keep almost nothing in memory. */
    private static final double CRITICAL = 1.5;

    private final long maxMemoryBytes;
    private final long maxTotalBytes;
    private final AtomicLong memoryBytes = new AtomicLong();
    private final AtomicLong totalBytes = new AtomicLong();
    /** Bytes that all events take besides their output. No spill file can hold them. */
    private final AtomicLong eventBytes = new AtomicLong();

    private final TokenBucket unattended =
            new TokenBucket(UNATTENDED_BYTES_PER_SECOND, UNATTENDED_BYTES_PER_SECOND, System.nanoTime());

    private final TokenBucket observed =
            new TokenBucket(OBSERVED_BYTES_PER_SECOND, OBSERVED_BURST_BYTES, System.nanoTime());

    public RetentionBudget(long maxMemoryBytes, long maxTotalBytes) {
        this.maxMemoryBytes = maxMemoryBytes;
        this.maxTotalBytes = maxTotalBytes;
    }

    /** Adds a change of the bytes that one log keeps. */
    void add(long memory, long total) {
        memoryBytes.addAndGet(memory);
        totalBytes.addAndGet(total);
    }

    /** Adds a change of the number of events that one log keeps, in memory or in its spill file. */
    void addEvents(long count) {
        eventBytes.addAndGet(count * EntryRing.EVENT_BYTES);
    }

    /** Returns true if so many bytes may be moved now to a spill file whose output no client takes. */
    boolean mayMoveUnattended(long bytes) {
        return unattended.take(bytes, System.nanoTime());
    }

    /** Returns true if an observer may have an answer now that takes so many bytes of memory. */
    boolean mayObserve(long bytes) {
        return observed.take(bytes, System.nanoTime());
    }

    /** Returns true if logs should keep less in memory than they otherwise would. */
    boolean memoryShort() {
        return memoryBytes.get() + eventBytes.get() > maxMemoryBytes;
    }

    /** Returns true if logs should keep as little in memory as they can. */
    boolean memoryCritical() {
        return memoryBytes.get() + eventBytes.get() > maxMemoryBytes * CRITICAL;
    }

    /** Returns true if no more events may be kept, of any size, before some are dropped. */
    boolean crowded() {
        return eventBytes.get() > maxMemoryBytes / 2;
    }

    /** Returns true if no more bytes may be kept before some are dropped. */
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
