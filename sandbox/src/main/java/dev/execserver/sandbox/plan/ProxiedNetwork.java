package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.seccomp.FilterMode;
import java.util.List;

/**
 * A separate network of a command, with no way out but some ports of its loopback address.
 *
 * @param doors ports in that network on which this server listens
 * @param unixSockets true if Unix sockets may be used as well
 */
public record ProxiedNetwork(List<Integer> doors, boolean unixSockets) {
    public ProxiedNetwork {
        doors = List.copyOf(doors);
    }

    FilterMode filter() {
        return unixSockets ? FilterMode.PROXY_ROUTED_WITH_UNIX : FilterMode.PROXY_ROUTED;
    }
}
