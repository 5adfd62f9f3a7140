package dev.execserver.server.process;

import java.nio.file.Path;

/**
 * How much output of one process is kept.
 *
 * @param memoryBytes newest output kept in memory; older output goes to the spill file
 * @param totalBytes output kept in all, memory and spill file together
 * @param spillDirectory where spill files are made
 * @param budget what the whole server may keep
 */
public record Retention(long memoryBytes, long totalBytes, Path spillDirectory, RetentionBudget budget) {

    /** Smallest share of one process in memory, however short memory is: two chunks of the largest size. */
    static final long MIN_MEMORY_BYTES = 128 * 1024L;

    /** The memory window at this moment. */
    long memoryWindow() {
        return budget.memoryShort() ? Math.min(MIN_MEMORY_BYTES, memoryBytes) : memoryBytes;
    }
}
