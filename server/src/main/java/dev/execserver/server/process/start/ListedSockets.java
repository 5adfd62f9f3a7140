package dev.execserver.server.process.start;

import dev.execserver.protocol.process.ManagedNetwork;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.plan.ProxiedNetwork.UnixUse;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.sandbox.UnixSocketPaths;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the list of Unix sockets that a start brings. Stateless. */
final class ListedSockets {
    private static final Logger LOG = LoggerFactory.getLogger(ListedSockets.class);

    private ListedSockets() {}

    /** @throws dev.execserver.protocol.rpc.RpcException -32602 for a path that can never match, or for too many */
    static Set<LinuxPath> of(ManagedNetwork network, ProxyUse proxy) {
        return UnixSocketPaths.of(Stream.concat(network.unixSockets().stream(), proxy.unixSockets().stream()));
    }

    /** Returns the use that a command gets: the list counts only where connects can be examined. */
    static UnixUse use(ManagedNetwork network, Set<LinuxPath> paths, ProcessServices services) {
        if (network.allUnixSockets()) {
            return UnixUse.ALL;
        }
        if (paths.isEmpty()) {
            return UnixUse.PAIRS;
        }
        return services.limiting()
                .execs()
                .obstacle()
                .map(obstacle -> {
                    LOG.warn("Unix sockets of a command stay closed: {}. {}", obstacle.reason(), obstacle.remedy());
                    return UnixUse.PAIRS;
                })
                .orElse(UnixUse.LISTED);
    }
}
