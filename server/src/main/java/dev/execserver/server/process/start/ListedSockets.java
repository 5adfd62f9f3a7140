package dev.execserver.server.process.start;

import dev.execserver.protocol.process.ManagedNetwork;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.connect.AllowedSockets;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.plan.ProxiedNetwork.UnixUse;
import dev.execserver.server.process.ProcessServices;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the list of Unix sockets that a start brings. Stateless. */
final class ListedSockets {
    private static final Logger LOG = LoggerFactory.getLogger(ListedSockets.class);

    private ListedSockets() {}

    /** @throws RpcException -32602 for a path that can never match, or for too many */
    static Set<LinuxPath> of(ManagedNetwork network, ProxyUse proxy) {
        Set<LinuxPath> paths = new LinkedHashSet<>();
        Stream.concat(network.unixSockets().stream(), proxy.unixSockets().stream())
                .map(ListedSockets::path)
                .forEach(paths::add);
        if (paths.size() > AllowedSockets.MAX_SOCKETS) {
            throw RpcException.invalidParams("%d Unix sockets are more than the limit of %d"
                    .formatted(paths.size(), AllowedSockets.MAX_SOCKETS));
        }
        return paths;
    }

    private static LinuxPath path(String given) {
        if (!given.startsWith("/") || given.indexOf('\0') >= 0) {
            throw RpcException.invalidParams(
                    "Unix socket `%s` can never match: an absolute path is needed, abstract names are never reached"
                            .formatted(given.replace('\0', '@')));
        }
        return LinuxPath.of(given);
    }

    /** Returns the use that a command gets: the list counts only where connects can be examined. */
    static UnixUse use(ManagedNetwork network, Set<LinuxPath> paths, ProcessServices services) {
        if (network.allUnixSockets()) {
            return UnixUse.ALL;
        }
        if (paths.isEmpty()) {
            return UnixUse.PAIRS;
        }
        return services.execs()
                .obstacle()
                .map(obstacle -> {
                    LOG.warn("Unix sockets of a command stay closed: {}. {}", obstacle.reason(), obstacle.remedy());
                    return UnixUse.PAIRS;
                })
                .orElse(UnixUse.LISTED);
    }
}
