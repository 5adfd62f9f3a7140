package dev.execserver.server.process.output;

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Space on the file system of the spill files that they leave to others. Immutable; file workers ask it.
 *
 * @param reserved bytes that stay free
 * @param usable returns the bytes that are free now
 */
public record SpillSpace(long reserved, LongSupplier usable) {
    /** Space that may be filled. */
    static final SpillSpace ALL = new SpillSpace(0, () -> Long.MAX_VALUE);

    /** Returns the space of the file system of this directory. */
    static SpillSpace of(Path directory, long reserved) {
        return new SpillSpace(
                reserved, () -> directory.toFile().getUsableSpace()); // statvfs(3), without a search for the mount
    }

    /** Returns true if spill files may grow by so many bytes. */
    boolean has(long bytes) {
        return reserved == 0 || usable.getAsLong() - bytes >= reserved;
    }
}
