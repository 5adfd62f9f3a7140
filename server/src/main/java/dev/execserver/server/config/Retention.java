package dev.execserver.server.config;

import static dev.execserver.server.config.Sizes.GIB;
import static dev.execserver.server.config.Sizes.KIB;
import static dev.execserver.server.config.Sizes.MIB;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Bounds of retained output. Undelivered output is never dropped: at a bound the process is held until its reader
 * catches up.
 *
 * @param outputMemoryBytes output of one process that is kept in memory; older output goes to a spill file
 * @param outputRetentionBytes output of one process that is kept in memory and spill file together
 * @param retainedMemoryBytes output of all processes that is kept in memory
 * @param retainedBytes output of all processes that is kept in memory and spill files together
 * @param spillDirectory folder of spill files, which are unlinked at once and vanish with the server
 * @param spillFreeBytes space that spill files leave free on their file system
 * @param processRetention time for which a closed process stays readable
 */
public record Retention(
        long outputMemoryBytes,
        long outputRetentionBytes,
        long retainedMemoryBytes,
        long retainedBytes,
        Path spillDirectory,
        long spillFreeBytes,
        Duration processRetention) {
    public static final long DEFAULT_OUTPUT_MEMORY_BYTES = MIB;
    public static final long DEFAULT_OUTPUT_RETENTION_BYTES = 64 * MIB;
    public static final long DEFAULT_RETAINED_MEMORY_BYTES =
            Math.min(256 * MIB, Runtime.getRuntime().maxMemory() / 4);
    public static final long DEFAULT_RETAINED_BYTES = 4 * GIB;
    public static final long DEFAULT_SPILL_FREE_BYTES = 256 * MIB;
    public static final Duration DEFAULT_PROCESS_RETENTION = Duration.ofSeconds(80);

    /** One chunk of output must fit. */
    public static final long SMALLEST_BYTES = 64 * KIB;

    /**
     * Output that was sent over a lost connection may not have arrived. It must still be there when the client comes
     * back.
     */
    public static final long SMALLEST_OUTPUT_RETENTION_BYTES = 16 * MIB;

    public static final long LARGEST_BYTES = 1_024 * GIB;
    public static final Duration LONGEST_PROCESS_RETENTION = Duration.ofHours(24 * 7);

    public static final Retention DEFAULTS = new Retention(
            DEFAULT_OUTPUT_MEMORY_BYTES,
            DEFAULT_OUTPUT_RETENTION_BYTES,
            DEFAULT_RETAINED_MEMORY_BYTES,
            DEFAULT_RETAINED_BYTES,
            defaultSpillDirectory(),
            DEFAULT_SPILL_FREE_BYTES,
            DEFAULT_PROCESS_RETENTION);

    public Retention {
        Checks.range("outputMemoryBytes", outputMemoryBytes, SMALLEST_BYTES, LARGEST_BYTES);
        Checks.range(
                "outputRetentionBytes",
                outputRetentionBytes,
                Math.max(outputMemoryBytes, SMALLEST_OUTPUT_RETENTION_BYTES),
                LARGEST_BYTES);
        Checks.range("retainedMemoryBytes", retainedMemoryBytes, outputMemoryBytes, LARGEST_BYTES);
        Checks.range(
                "retainedBytes", retainedBytes, Math.max(outputRetentionBytes, retainedMemoryBytes), LARGEST_BYTES);
        Checks.range("spillFreeBytes", spillFreeBytes, 0, LARGEST_BYTES);
        spillDirectory = spillDirectory.toAbsolutePath();
        Checks.range("processRetention", processRetention, Duration.ZERO, LONGEST_PROCESS_RETENTION);
    }

    /** Returns the system's folder for temporary files. */
    public static Path defaultSpillDirectory() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Changes the bounds of one process. */
    public Retention withOutputBytes(long memory, long retention) {
        return new Retention(
                memory,
                retention,
                retainedMemoryBytes,
                retainedBytes,
                spillDirectory,
                spillFreeBytes,
                processRetention);
    }

    /** Changes the bounds of the whole server. */
    public Retention withRetainedBytes(long memory, long retained) {
        return new Retention(
                outputMemoryBytes,
                outputRetentionBytes,
                memory,
                retained,
                spillDirectory,
                spillFreeBytes,
                processRetention);
    }

    public Retention withSpillDirectory(Path directory) {
        return new Retention(
                outputMemoryBytes,
                outputRetentionBytes,
                retainedMemoryBytes,
                retainedBytes,
                directory,
                spillFreeBytes,
                processRetention);
    }

    public Retention withProcessRetention(Duration retention) {
        return new Retention(
                outputMemoryBytes,
                outputRetentionBytes,
                retainedMemoryBytes,
                retainedBytes,
                spillDirectory,
                spillFreeBytes,
                retention);
    }

    public Retention withSpillFreeBytes(long bytes) {
        return new Retention(
                outputMemoryBytes,
                outputRetentionBytes,
                retainedMemoryBytes,
                retainedBytes,
                spillDirectory,
                bytes,
                processRetention);
    }
}
