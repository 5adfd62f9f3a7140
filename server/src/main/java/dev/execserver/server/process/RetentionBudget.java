package dev.execserver.server.process;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What all processes of the server together may keep of their output: bytes in memory, and bytes in memory and spill
 * files together. Any thread; no locks.
 */
public final class RetentionBudget {

    private final long maxMemoryBytes;
    private final long maxTotalBytes;
    private final AtomicLong memoryBytes = new AtomicLong();
    private final AtomicLong totalBytes = new AtomicLong();

    public RetentionBudget(long maxMemoryBytes, long maxTotalBytes) {
        this.maxMemoryBytes = maxMemoryBytes;
        this.maxTotalBytes = maxTotalBytes;
    }

    /** Reports a change of what one log keeps. */
    void add(long memory, long total) {
        memoryBytes.addAndGet(memory);
        totalBytes.addAndGet(total);
    }

    /** True when logs should keep less in memory than they otherwise would. */
    boolean memoryShort() {
        return memoryBytes.get() > maxMemoryBytes;
    }

    /** True when nothing more may be kept before something is dropped. */
    boolean exhausted() {
        return totalBytes.get() > maxTotalBytes;
    }

    public long memoryBytes() {
        return memoryBytes.get();
    }

    public long totalBytes() {
        return totalBytes.get();
    }
}
