package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;

/**
 * One path and what the command may do there and below, as far as no rule further down says otherwise.
 *
 * @param path canonical: without symbolic links when the policy was resolved
 * @param origin why the rule is there
 * @param found what was there
 */
public record Rule(LinuxPath path, Access access, Origin origin, Found found) {

    /** Why a rule is there. */
    public enum Origin {
        /** An entry of the profile. */
        ENTRY,
        /** The list of directories that {@code minimal} switches on. */
        PLATFORM_DEFAULT,
        /** {@code .git}, {@code .agents}, {@code .codex} or {@code .aws} of a writable root, or what such a link points to. */
        PROTECTED_NAME,
        /** What the {@code .git} file of a writable root points to, or a part of it. */
        GIT_DIRECTORY,
        /** A match of an unreadable glob. */
        GLOB,
        /**
         * A directory between a writable root and a narrower rule, with the access of the root. It has to be a mount of its
         * own, for the kernel does not rename mount points (EBUSY): else the command could move the directory away, narrower
         * rule and all, and put another one in its place. Or, readable only, a file where the profile has a directory.
         */
        PINNED,
        /** A file of the server itself, which no command may see. */
        SERVER,
        /** A file that says what the server does, which no command may change. */
        SERVER_SETTINGS,
        /** What the server, its helper or the next server runs from. */
        INSTALLATION
    }

    public boolean missing() {
        return found instanceof Found.Missing;
    }
}
