package dev.execserver.sandbox.trust;

import dev.execserver.sandbox.linux.FileStatus;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One file on the way along a path: a directory, a symbolic link that was followed, or the file at the end.
 *
 * @param place without links above it
 * @param owners trusted owners
 */
public record Step(Path place, FileStatus status, TrustedOwners owners) {
    private static final int STICKY = 01000;

    /** Returns true if its owner is not trusted. */
    public boolean foreign() {
        return !owners.contains(status.user());
    }

    /**
     * Returns true for a directory in which other users can replace files. In a sticky directory they cannot, see inode(7).
     *
     * @param writers write bits of these users: 0020 for the group, 0002 for all others
     */
    public boolean replaceable(int writers) {
        return status.directory() && (mode() & writers) != 0 && (mode() & STICKY) == 0;
    }

    /** Permission bits, with set-id and sticky bits. */
    public int mode() {
        return status.permissions();
    }

    /**
     * Describes how other users could make the path lead elsewhere at this step; empty if they cannot.
     *
     * @param writers as in {@link #replaceable}
     */
    public Optional<String> fault(int writers) {
        if (foreign()) {
            return Optional.of(
                    status.symbolicLink()
                            ? "%s is a link of user %d, who could let it lead elsewhere".formatted(place, status.user())
                            : "%s belongs to user %d, who could replace it".formatted(place, status.user()));
        }
        return replaceable(writers)
                ? Optional.of("%s is writable by others and not sticky: they could replace it".formatted(place))
                : Optional.empty();
    }
}
