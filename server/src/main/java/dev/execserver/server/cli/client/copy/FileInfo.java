package dev.execserver.server.cli.client.copy;

import java.util.OptionalInt;

/**
 * What a path leads to; a link is followed.
 *
 * @param link whether the path itself is a symbolic link
 * @param size bytes; 0 for files whose size is not known, such as those of /proc
 * @param modifiedMs milliseconds since 1970
 * @param mode permission bits; empty when the server does not tell
 */
record FileInfo(Kind kind, boolean link, long size, long modifiedMs, OptionalInt mode) {

    /** What can be copied, and the rest. */
    enum Kind {
        FILE,
        DIRECTORY,
        /** A device, pipe or socket. */
        OTHER
    }

    static Kind kind(boolean file, boolean directory) {
        if (file) {
            return Kind.FILE;
        }
        return directory ? Kind.DIRECTORY : Kind.OTHER;
    }

    boolean directory() {
        return kind == Kind.DIRECTORY;
    }

    /** Whether this may be what {@code earlier} was, as far as one can see. */
    boolean unchangedSince(FileInfo earlier) {
        return size == earlier.size && modifiedMs == earlier.modifiedMs;
    }
}
