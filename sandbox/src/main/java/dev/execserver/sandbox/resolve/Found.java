package dev.execserver.sandbox.resolve;

/** What lay at the path of a rule when the policy was resolved. Never a symbolic link: rules stand at the link's target. */
public sealed interface Found {
    /**
     * A directory.
     *
     * @param empty whether nothing was in it; looked at for protected names only, false elsewhere
     */
    record Directory(FileId id, boolean empty) implements Found {}

    /**
     * Anything that is no directory: a file, socket, pipe or device.
     *
     * @param empty whether it is a regular file of 0 bytes
     */
    record File(FileId id, boolean empty) implements Found {}

    /**
     * Nothing. Such a rule only keeps the command from creating the path, and stands only where the command could.
     *
     * @param first what has to be blocked: the first component that does not exist of what the profile names, which is
     *     the path of the rule
     */
    record Missing(LinuxPath first) implements Found {}
}
