package dev.execserver.cli.client.copy;

import java.util.OptionalInt;

/**
 * Metadata of the file that a path leads to; links are followed.
 *
 * @param link true if the path itself is a symbolic link
 * @param size bytes; 0 for files whose size is unknown, such as those of /proc
 * @param modifiedMs milliseconds since 1970
 * @param mode permission bits; empty if the server does not report them
 */
record FileInfo(Kind kind, boolean link, long size, long modifiedMs, OptionalInt mode) {

    /** Kind of the file. Files and directories can be copied. */
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

    /** Returns true if size and time are those of {@code earlier}, so that the file has probably not changed. */
    boolean unchangedSince(FileInfo earlier) {
        return size == earlier.size && modifiedMs == earlier.modifiedMs;
    }
}
