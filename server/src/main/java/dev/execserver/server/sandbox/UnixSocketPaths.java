package dev.execserver.server.sandbox;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.connect.AllowedSockets;
import dev.execserver.sandbox.paths.LinuxPath;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/** Reads a list of Unix sockets that a command may connect to. Stateless. */
public final class UnixSocketPaths {

    private UnixSocketPaths() {}

    /** @throws RpcException -32602 for a path that can never match, or for too many */
    public static Set<LinuxPath> of(Stream<String> given) {
        Set<LinuxPath> paths = new LinkedHashSet<>();
        given.map(UnixSocketPaths::path).forEach(paths::add);
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
}
