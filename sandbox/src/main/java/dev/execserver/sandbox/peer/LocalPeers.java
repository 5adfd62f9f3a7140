package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LocalSockets;
import dev.execserver.sandbox.linux.ProcStatus;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.TcpCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out who is behind connections that were accepted here. The kernel names the peer's socket when it is one of this network namespace,
 * whatever address it came from (sock_diag(7)); the processes of this machine are then searched for who holds it. Costs microseconds for a
 * peer elsewhere, a millisecond for one of this user. One thread at a time; it remembers only whom to look at first.
 */
public final class LocalPeers {
    /** The socket may just go from a parent that ends to a child that the list of processes does not have yet. */
    private static final int LOOKS = 3;

    private final Confinement confinement;
    private final ControlGroupIds groups = ControlGroupIds.ofThisMachine();
    private final LikelyPeers likely = new LikelyPeers();

    private LocalPeers(ProcStatus own) {
        this.confinement = new Confinement(own);
    }

    /** @throws LinuxException when there is no /proc */
    public static LocalPeers ofThisProcess() {
        return new LocalPeers(ProcStatus.own());
    }

    /** Why peers cannot be told apart here, in words; empty when they can. Asks the kernel about a connection of its own. */
    public Optional<String> obstacle() {
        Optional<String> confined = confinement.obstacle();
        if (confined.isPresent()) {
            return confined;
        }
        try (Fd listener = TcpCalls.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
                Fd connection = TcpCalls.connect(TcpCalls.localAddress(listener.number()))) {
            Connection own = new Connection(
                    TcpCalls.localAddress(connection.number()), TcpCalls.localAddress(listener.number()));
            PeerOrigin origin = of(List.of(own), List.of(ProcessCalls.ownPid())).get(own);
            return origin instanceof PeerOrigin.Unconfined
                    ? Optional.empty()
                    : Optional.of("a connection of the server's own was not recognized: " + origin);
        } catch (LinuxException e) {
            return Optional.of("the kernel cannot be asked who owns a socket: " + e.getMessage());
        }
    }

    /**
     * A connection that was accepted.
     *
     * @param peer address that it came from
     * @param local address that it came to
     */
    public record Connection(InetSocketAddress peer, InetSocketAddress local) {}

    /**
     * Tells who is behind each connection, with one look at the processes for all of them.
     *
     * @throws LinuxException when the kernel cannot be asked
     */
    public Map<Connection, PeerOrigin> of(Collection<Connection> connections) {
        Map<Connection, PeerOrigin> known = of(connections, likely.pids());
        known.values().forEach(likely::remember);
        return known;
    }

    private Map<Connection, PeerOrigin> of(Collection<Connection> connections, Collection<Integer> first) {
        Map<Connection, PeerOrigin> known = new HashMap<>();
        for (int look = 0; look < LOOKS && known.size() < connections.size(); look++) {
            Map<Connection, LocalSockets.Found> open = new HashMap<>();
            for (Connection each : connections) {
                if (!known.containsKey(each)) {
                    Optional<LocalSockets.Found> socket = find(each.peer(), each.local());
                    withoutHolder(each, socket)
                            .ifPresentOrElse(origin -> known.put(each, origin), () -> open.put(each, socket.get()));
                }
            }
            if (!open.isEmpty()) {
                Map<Long, PeerOrigin> holders = new Holders(confinement, groups, open.values()).find(first);
                open.forEach((each, socket) ->
                        Optional.ofNullable(holders.get(socket.inode())).ifPresent(origin -> known.put(each, origin)));
            }
        }
        connections.forEach(each ->
                known.putIfAbsent(each, new PeerOrigin.Unexplained("no process that can be looked into has it open")));
        return known;
    }

    /** Who it is, as far as that does not depend on the process that holds the socket. */
    private Optional<PeerOrigin> withoutHolder(Connection connection, Optional<LocalSockets.Found> found) {
        if (found.isEmpty()) {
            return Optional.of(
                    Relays.here(connection.peer().getAddress())
                            ? new PeerOrigin.Unexplained("no socket of this machine has its address")
                            : new PeerOrigin.Elsewhere());
        }
        LocalSockets.Found socket = found.get();
        // First: the kernel says user 0 of a socket that nobody has open any more, whoever made it.
        if (socket.inode() == 0) {
            return Optional.of(new PeerOrigin.Unexplained("whoever made it has closed it"));
        }
        if (Relays.labelled(socket)) {
            return Optional.of(new PeerOrigin.Relayed());
        }
        return confinement.isThisUser(socket.uid())
                ? Optional.empty()
                : Optional.of(new PeerOrigin.OtherUser(socket.uid()));
    }

    /** A socket that is bound to an interface (SO_BINDTODEVICE of socket(7)) is found only with that. */
    private static Optional<LocalSockets.Found> find(InetSocketAddress peer, InetSocketAddress local) {
        Optional<LocalSockets.Found> found = LocalSockets.find(peer, local, 0);
        if (found.isPresent()) {
            return found;
        }
        try {
            return NetworkInterface.networkInterfaces()
                    .map(each -> LocalSockets.find(peer, local, each.getIndex()))
                    .flatMap(Optional::stream)
                    .findFirst();
        } catch (SocketException e) {
            return Optional.empty();
        }
    }
}
