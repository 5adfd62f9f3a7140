package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.network.InnerSockets;
import dev.execserver.sandbox.seccomp.FilterMode;

/**
 * A separate network of a command, with no way out but some sockets of this server.
 *
 * @param doors sockets in that network that this server has
 * @param unixSockets true if Unix sockets may be used as well
 */
public record ProxiedNetwork(InnerSockets doors, boolean unixSockets) {
    FilterMode filter() {
        return unixSockets ? FilterMode.PROXY_ROUTED_WITH_UNIX : FilterMode.PROXY_ROUTED;
    }
}
