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

    /** Share of one process in memory while that is short: two chunks of the largest size. */
    static final long MIN_MEMORY_BYTES = 128 * 1024L;

    /** Bytes above the memory window that may wait for the spill file: normally, and while memory is short or critical. */
    private static final long BEHIND_BYTES = 2 * 1024 * 1024L;

    private static final long SHORT_BEHIND_BYTES = 256 * 1024L;
    private static final long CRITICAL_BEHIND_BYTES = 64 * 1024L;

    /** The memory window at this moment. */
    long memoryWindow() {
        if (budget.memoryCritical()) {
            return 0;
        }
        return budget.memoryShort() ? Math.min(MIN_MEMORY_BYTES, memoryBytes) : memoryBytes;
    }

    /** Bytes above the memory window at which a process is held until the spill file has kept up. */
    long behindBytes() {
        if (budget.memoryCritical()) {
            return CRITICAL_BEHIND_BYTES;
        }
        return budget.memoryShort() ? SHORT_BEHIND_BYTES : BEHIND_BYTES;
    }

    /** Bytes above the memory window at which moving is worth its while: a quarter of what may wait. */
    long slackBytes() {
        return budget.memoryCritical() ? 0 : behindBytes() / 4;
    }

    /** By how much the retained bytes may pass their bound for the length of one batch. */
    static long overshootBytes() {
        return BEHIND_BYTES;
    }

    /** What is kept while no spill file can be written: enough for what a lost connection may not have received. */
    long bytesWithoutFile() {
        long inDoubt = budget.memoryShort() ? 0 : DeliveryMark.IN_DOUBT_BYTES;
        return Math.min(totalBytes, Math.max(memoryBytes, inDoubt));
    }
}
