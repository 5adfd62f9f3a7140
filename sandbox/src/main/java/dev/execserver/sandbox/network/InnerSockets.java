package dev.execserver.sandbox.network;

import java.net.Inet4Address;
import java.util.List;
import java.util.Optional;

/**
 * The sockets that the server has in the network of a command. Immutable.
 *
 * @param ports different ports of 127.0.0.1 to listen on
 * @param names if present, a socket receives the name queries to port 53 of the loopback address and of these name servers, which become
 *     addresses of the command's own network
 * @param questions if true, the last socket is one of netlink(7) that asks for sockets of the command's network, see sock_diag(7)
 */
public record InnerSockets(List<Integer> ports, Optional<List<Inet4Address>> names, boolean questions) {
    public static final InnerSockets NONE = new InnerSockets(List.of());

    public InnerSockets {
        ports = List.copyOf(ports);
        names = names.map(List::copyOf);
    }

    /** Only listening sockets. */
    public InnerSockets(List<Integer> ports) {
        this(ports, Optional.empty(), false);
    }

    public int count() {
        return ports.size() + (names.isPresent() ? 1 : 0) + (questions ? 1 : 0);
    }
}
