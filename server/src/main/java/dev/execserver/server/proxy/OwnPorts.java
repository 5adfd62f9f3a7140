package dev.execserver.server.proxy;

import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * Where the servers of this user and the proxies of this one listen. No process gets there through a proxy, whatever its lists
 * say: a server's port would let it out of its sandbox, a proxy's port would make a circle. Any thread.
 */
final class OwnPorts {

    private final IntPredicate servers;
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    /** @param servers tells if a server of this user listens on a port */
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
                && Reach.here(address) != Reach.PUBLIC; // rather one too many
    }
}
