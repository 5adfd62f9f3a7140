package dev.execserver.sandbox.paths;

import java.util.List;
import java.util.Optional;

/**
 * The file system as the resolver sees it. No method follows a symbolic link at the end of a path. The resolver passes only
 * paths whose parents contain no links.
 */
public interface FileView {

    /** Type of a directory entry. */
    enum Kind {
        DIRECTORY,
        REGULAR,
        SYMLINK,
        /** Sockets, pipes, devices. */
        OTHER
    }

    /**
     * The result of lstat(2).
     *
     * @param size bytes
     */
    record Status(Kind kind, FileId id, long size) {}

    /** One entry of a directory. */
    record Child(byte[] name, Kind kind) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Child that && java.util.Arrays.equals(name, that.name) && kind == that.kind;
        }

        @Override
        public int hashCode() {
            return java.util.Arrays.hashCode(name);
        }
    }

    /** Returns the status of a path; empty if nothing is there. */
    Optional<Status> status(LinuxPath path) throws NotAccessibleException;

    /** Returns the text of a symbolic link. */
    byte[] readLink(LinuxPath link) throws NotAccessibleException;

    /** Returns the entries of a directory, in no order; empty if the directory is gone. */
    List<Child> list(LinuxPath directory) throws NotAccessibleException;

    /** Returns the first bytes of a regular file; empty if it is gone. */
    Optional<byte[]> read(LinuxPath file, int maxBytes) throws NotAccessibleException;

    /** Returns what distinguishes one state of a file from another, although its content is not read; empty if nothing is there. */
    Optional<String> version(LinuxPath file) throws NotAccessibleException;

    /**
     * Returns a regular file as a whole. It may be large, so a cache of answers keeps its {@link #version}, not its content.
     *
     * @return empty if it is gone, or larger
     */
    Optional<byte[]> readWhole(LinuxPath file, int maxBytes) throws NotAccessibleException;

    /**
     * Returns true if this user can make an entry in the directory, or can give itself the permission to. Where it can do
     * neither, a missing name needs no protection.
     */
    boolean creatable(LinuxPath directory);

    /** An error of the file system. The message names call, path and errno. */
    final class NotAccessibleException extends Exception {
        public NotAccessibleException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
