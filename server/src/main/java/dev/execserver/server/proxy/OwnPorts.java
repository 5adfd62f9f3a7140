package dev.execserver.server.proxy;

import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * Ports of this user's servers and of this server's proxies. No process reaches them through a proxy, even if its lists
 * allow it: a server's port would let it out of its sandbox, a proxy's port would make a loop. Any thread.
 */
final class OwnPorts {

    private final IntPredicate servers;
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    /** @param servers returns true if a server of this user listens on the port */
    OwnPorts(IntPredicate servers) {
        this.servers = servers;
    }

    void add(int port) {
        ports.add(port);
    }

    void remove(int port) {
        ports.remove(port);
    }

    boolean owns(InetAddress address, int port) {
        return (ports.contains(port) || servers.test(port))
                && Reach.here(address) != Reach.PUBLIC; // refuses one too many rather than one too few
    }
}
