package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;

/** The file at the path of a rule when the policy was resolved. Never a symbolic link: the rule has the path of its target. */
public sealed interface RuleTarget {
    /**
     * A directory.
     *
     * @param empty true if the directory has no entries; checked for protected names only, false for others
     */
    record Directory(FileId id, boolean empty) implements RuleTarget {}

    /**
     * Anything but a directory: a file, socket, pipe or device.
     *
     * @param empty true if it is a regular file of 0 bytes
     */
    record File(FileId id, boolean empty) implements RuleTarget {}

    /**
     * Nothing. Such a rule only keeps the command from creating the path. It exists only if the command could create it.
     *
     * @param first the path to block: the first missing component of the path that the profile names; it is the path of the
     *     rule
     */
    record Missing(LinuxPath first) implements RuleTarget {}
}
