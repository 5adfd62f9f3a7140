package dev.execserver.server.process.output;

import java.nio.file.Path;

/**
 * Limits of the output that is kept for one process.
 *
 * @param memoryBytes newest output kept in memory; older output goes to the spill file
 * @param totalBytes all kept output, in memory and in the spill file
 * @param spillDirectory directory of the spill files
 * @param space of their file system
 * @param budget limits for the whole server
 */
public record OutputBounds(
        long memoryBytes, long totalBytes, Path spillDirectory, SpillSpace space, RetentionBudget budget) {

    /** Memory of one process while memory is short: two chunks of the largest size. */
    static final long MIN_MEMORY_BYTES = 128 * 1024L;

    /**
     * Bytes above the memory window that may wait for the spill file: normally, and below while memory is short or
     * critical.
     */
    private static final long BEHIND_BYTES = 2 * 1024 * 1024L;

    private static final long SHORT_BEHIND_BYTES = 256 * 1024L;
    private static final long CRITICAL_BEHIND_BYTES = 64 * 1024L;

    /** @param spillFreeBytes space that spill files leave free on their file system */
    public OutputBounds(
            long memoryBytes, long totalBytes, Path spillDirectory, long spillFreeBytes, RetentionBudget budget) {
        this(memoryBytes, totalBytes, spillDirectory, SpillSpace.of(spillDirectory, spillFreeBytes), budget);
    }

    /** Makes bounds with which spill files may fill their file system. */
    OutputBounds(long memoryBytes, long totalBytes, Path spillDirectory, RetentionBudget budget) {
        this(memoryBytes, totalBytes, spillDirectory, SpillSpace.ALL, budget);
    }

    /** Returns the current memory window in bytes. */
    long memoryWindow() {
        if (budget.memoryCritical()) {
            return 0;
        }
        return budget.memoryShort() ? Math.min(MIN_MEMORY_BYTES, memoryBytes) : memoryBytes;
    }

    /** Returns the bytes above the memory window at which a process is held until the spill file has caught up. */
    long behindBytes() {
        if (budget.memoryCritical()) {
            return CRITICAL_BEHIND_BYTES;
        }
        return budget.memoryShort() ? SHORT_BEHIND_BYTES : BEHIND_BYTES;
    }

    /**
     * Returns the bytes above the memory window from which on a move to the file pays: a quarter of
     * {@link #behindBytes}.
     */
    long slackBytes() {
        return budget.memoryCritical() ? 0 : behindBytes() / 4;
    }

    /** Returns the bytes by which the kept output may exceed its limit while one batch is moved. */
    static long overshootBytes() {
        return BEHIND_BYTES;
    }

    /**
     * Returns the bytes that are kept if no spill file can be written: enough for the output that a lost connection may
     * not have received.
     */
    long bytesWithoutFile() {
        long inDoubt = budget.memoryShort() ? 0 : DeliveryMark.IN_DOUBT_BYTES;
        return Math.min(totalBytes, Math.max(memoryBytes, inDoubt));
    }
}
