package dev.execserver.server.proxy.rules;

import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ports of this server's proxies. No process reaches them through a proxy, even if its lists allow it: that would make a loop. (Servers
 * refuse connections of proxies themselves, see {@link dev.execserver.sandbox.peer.Relays}.) Any thread.
 */
public final class OwnPorts {

    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    public void add(int port) {
        ports.add(port);
    }

    public void remove(int port) {
        ports.remove(port);
    }

    boolean owns(InetAddress address, int port) {
        return ports.contains(port)
                && AddressScope.here(address) != AddressScope.PUBLIC; // refuses one too many rather than one too few
    }
}
