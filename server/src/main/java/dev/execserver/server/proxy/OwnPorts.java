package dev.execserver.server.proxy;

import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the proxies of this server listen. No process gets there through a proxy, whatever its lists say: that would make a circle. (The
 * servers of this user refuse it themselves, see {@link dev.execserver.sandbox.peer.Relays}.) Any thread.
 */
final class OwnPorts {

    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    void add(int port) {
        ports.add(port);
    }

    void remove(int port) {
        ports.remove(port);
    }

    boolean owns(InetAddress address, int port) {
        return ports.contains(port) && Reach.here(address) != Reach.PUBLIC; // rather one too many
    }
}
