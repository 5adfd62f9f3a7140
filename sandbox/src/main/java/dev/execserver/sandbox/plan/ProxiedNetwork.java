package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.network.InnerSockets;
import dev.execserver.sandbox.seccomp.FilterMode;

/**
 * A separate network of a command, with no way out but some sockets of this server.
 *
 * @param doors sockets in that network that this server has
 * @param unixSockets Unix sockets that may be used as well
 */
public record ProxiedNetwork(InnerSockets doors, UnixUse unixSockets) {
    /** Use of Unix sockets. */
    public enum UnixUse {
        /** Pairs only. */
        PAIRS,
        /** Those that the examiner of connects allows. */
        LISTED,
        ALL
    }

    FilterMode filter() {
        return switch (unixSockets) {
            case PAIRS -> FilterMode.PROXY_ROUTED;
            case LISTED -> FilterMode.PROXY_ROUTED_WITH_LISTED_UNIX;
            case ALL -> FilterMode.PROXY_ROUTED_WITH_UNIX;
        };
    }
}
