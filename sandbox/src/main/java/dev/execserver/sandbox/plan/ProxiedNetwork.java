package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.seccomp.FilterMode;
import java.util.List;

/**
 * A network of a command's own, out of which nothing leads but some ports of its loopback address.
 *
 * @param doors ports that this server listens on in there
 * @param unixSockets whether Unix sockets may be used besides
 */
public record ProxiedNetwork(List<Integer> doors, boolean unixSockets) {
    public ProxiedNetwork {
        doors = List.copyOf(doors);
    }

    FilterMode filter() {
        return unixSockets ? FilterMode.PROXY_ROUTED_WITH_UNIX : FilterMode.PROXY_ROUTED;
    }
}
