package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Access to the Unix sockets of the server.
 *
 * @param mode permissions of the socket files
 * @param group group of the socket files; empty for that of the server
 * @param uids users that may connect, besides the server's own and root
 */
public record LocalAccess(Set<PosixFilePermission> mode, Optional<String> group, List<Integer> uids) {
    public static final Set<PosixFilePermission> DEFAULT_MODE =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    public static final LocalAccess DEFAULTS = new LocalAccess(DEFAULT_MODE, Optional.empty(), List.of());

    public LocalAccess {
        mode = Set.copyOf(mode);
        requireNonNull(group, "group");
        uids = List.copyOf(uids);
    }
}
