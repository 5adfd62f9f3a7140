package dev.execserver.sandbox.resolve;

import java.util.List;
import java.util.Optional;

/**
 * The file system as the resolver looks at it. No method follows a symbolic link at the end of a path, and the resolver
 * gives paths without links only.
 */
public interface FileView {

    /** What an entry of a directory is. */
    enum Kind {
        DIRECTORY,
        REGULAR,
        SYMLINK,
        /** Sockets, pipes, devices. */
        OTHER
    }

    /**
     * What lstat(2) says.
     *
     * @param size bytes
     */
    record Status(Kind kind, FileId id, long size) {}

    /** One line of a directory. */
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

    /** Empty when nothing is there. */
    Optional<Status> status(LinuxPath path) throws NotAccessibleException;

    /** The text of a symbolic link. */
    byte[] readLink(LinuxPath link) throws NotAccessibleException;

    /** What is in a directory, in no order; empty when it is gone. */
    List<Child> list(LinuxPath directory) throws NotAccessibleException;

    /** The first bytes of a regular file; empty when it is gone. */
    Optional<byte[]> read(LinuxPath file, int maxBytes) throws NotAccessibleException;

    /**
     * Whether this user can make an entry in the directory, or can give himself the permission to: for whom neither holds, a
     * name that is missing needs no protection.
     */
    boolean creatable(LinuxPath directory);

    /** The file system refused or failed; the message names call, path and errno. */
    final class NotAccessibleException extends Exception {
        public NotAccessibleException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
