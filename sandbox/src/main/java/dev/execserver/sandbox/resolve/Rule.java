package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.LinuxPath;

/**
 * One path and the access of the command to it and everything below, except where a deeper rule decides.
 *
 * @param path canonical: it had no symbolic links when the policy was resolved
 * @param origin reason for the rule
 * @param found the file that was there
 */
public record Rule(LinuxPath path, Access access, Origin origin, RuleTarget found) {

    /** Reason for a rule. */
    public enum Origin {
        /** An entry of the profile. */
        ENTRY,
        /** The list of directories that {@code minimal} switches on. */
        PLATFORM_DEFAULT,
        /** {@code .git}, {@code .agents}, {@code .codex} or {@code .aws} of a writable root, or the target of such a link. */
        PROTECTED_NAME,
        /** The directory that the {@code .git} file of a writable root names, or a part of it. */
        GIT_DIRECTORY,
        /** A match of an unreadable glob. */
        GLOB,
        /**
         * A directory between a writable root and a deeper rule, with the access of the root. It is a mount of its own,
         * because the kernel does not rename mount points (EBUSY). Otherwise the command could move the directory away
         * together with the deeper rule and put another directory in its place. Or a read-only file where the profile needs a
         * directory.
         */
        PINNED,
        /** A file of the server itself, which no command may see. */
        SERVER,
        /** A file that configures the server, which no command may change. */
        SERVER_SETTINGS,
        /** A file that the server, its helper or the next server runs from. */
        INSTALLATION
    }

    public boolean missing() {
        return found instanceof RuleTarget.Missing;
    }
}
