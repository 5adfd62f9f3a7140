package dev.execserver.server.proxy;

import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where this server itself listens. No process gets there through a proxy, whatever its lists say: the server's own port
 * would let it out of its sandbox, a proxy's port would make a circle. Any thread.
 */
public final class OwnPorts {

    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    public void add(int port) {
        ports.add(port);
    }

    void remove(int port) {
        ports.remove(port);
    }

    boolean owns(InetAddress address, int port) {
        return ports.contains(port) && Reach.here(address) != Reach.PUBLIC; // rather one too many
    }
}
