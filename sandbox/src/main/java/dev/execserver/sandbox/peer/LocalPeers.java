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
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * Finds the processes behind accepted connections. The kernel names the peer's socket if it is in this network namespace, whatever its
 * address (sock_diag(7)). Then the processes of this machine are searched for a holder of that socket. Costs microseconds for a peer
 * elsewhere, about a millisecond for one of this user. One thread at a time; the only state is the order of the search.
 */
public final class LocalPeers {
    /**
     * Number of searches: the socket may be passing from an ending parent to a child that the first list of processes lacks.
     */
    private static final int LOOKS = 3;

    private final Confinement confinement;
    private final boolean seesAllProcesses = Confinement.seesAllProcesses();
    private final ControlGroupIds groups = ControlGroupIds.ofThisMachine();
    private final LikelyPeers likely = new LikelyPeers();

    private LocalPeers(ProcStatus own) {
        this.confinement = new Confinement(own);
    }

    /** @throws LinuxException if there is no /proc */
    public static LocalPeers ofThisProcess() {
        return new LocalPeers(ProcStatus.own());
    }

    /** Returns the reason why peers cannot be distinguished here; empty if they can. Tests it with a connection of its own. */
    public Optional<String> obstacle() {
        Optional<String> confined = confinement.obstacle();
        if (confined.isPresent()) {
            return confined;
        }
        try (Fd listener = TcpCalls.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
                Fd connection = TcpCalls.connect(TcpCalls.localAddress(listener.number()))) {
            Connection own = new Connection(
                    TcpCalls.localAddress(connection.number()), TcpCalls.localAddress(listener.number()));
            PeerOrigin origin =
                    of(List.of(own), List.of(ProcessCalls.ownPid()), _ -> false).get(own);
            return origin instanceof PeerOrigin.Unconfined
                    ? Optional.empty()
                    : Optional.of("a connection of the server's own was not recognized: " + origin);
        } catch (LinuxException e) {
            return Optional.of("the kernel cannot be asked who owns a socket: " + e.getMessage());
        }
    }

    /**
     * An accepted connection.
     *
     * @param peer remote address
     * @param local local address
     */
    public record Connection(InetSocketAddress peer, InetSocketAddress local) {}

    /**
     * Returns the origin of each connection, from one search for all of them.
     *
     * @throws LinuxException if the kernel cannot be asked
     */
    public Map<Connection, PeerOrigin> of(Collection<Connection> connections) {
        Map<Connection, PeerOrigin> known = of(connections, likely.pids(), ServerProcess::is);
        known.values().forEach(likely::remember);
        return known;
    }

    /** Returns true if the user is the one that this process runs as. */
    public boolean isThisUser(int uid) {
        return confinement.isThisUser(uid);
    }

    /**
     * Returns the origin of a connection on a Unix socket. A command in another network namespace can have made it, too.
     *
     * @param inode of the peer's socket; empty if the kernel does not tell it
     * @param uid user of the peer
     */
    public PeerOrigin ofSocket(OptionalLong inode, int uid) {
        if (!confinement.isThisUser(uid)) {
            return new PeerOrigin.OtherUser(uid);
        }
        if (inode.isEmpty()) {
            return new PeerOrigin.Unexplained("the kernel does not tell its socket");
        }
        LocalSockets.Found socket = new LocalSockets.Found(inode.getAsLong(), uid, OptionalLong.empty(), 0);
        boolean confined = false;
        for (int look = 0; look < LOOKS; look++) {
            SocketHolders search = new SocketHolders(confinement, groups, ServerProcess::is, List.of(socket));
            PeerOrigin origin = search.find(likely.pids()).get(socket.inode());
            if (origin != null) {
                likely.remember(origin);
                return origin;
            }
            confined |= search.sawConfined();
        }
        return withoutProcess(confined);
    }

    private Map<Connection, PeerOrigin> of(
            Collection<Connection> connections, Collection<Integer> first, IntPredicate noClient) {
        Map<Connection, PeerOrigin> known = new HashMap<>();
        boolean confinedInNetwork = false;
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
                SocketHolders search = new SocketHolders(confinement, groups, noClient, open.values());
                Map<Long, PeerOrigin> holders = search.find(first);
                confinedInNetwork |= holders.size() < open.size() && search.confinedInNetwork();
                open.forEach((each, socket) ->
                        Optional.ofNullable(holders.get(socket.inode())).ifPresent(origin -> known.put(each, origin)));
            }
        }
        PeerOrigin hidden = withoutProcess(confinedInNetwork);
        connections.forEach(each -> known.putIfAbsent(each, hidden));
        return known;
    }

    /** A server in a container can share the network of the machine, but not see its processes. */
    private PeerOrigin withoutProcess(boolean perhapsConfined) {
        return perhapsConfined || seesAllProcesses
                ? new PeerOrigin.Unexplained("no process that can be looked into has it open")
                : new PeerOrigin.Outside();
    }

    /** Returns the origin if it does not depend on the process that holds the socket. */
    private Optional<PeerOrigin> withoutHolder(Connection connection, Optional<LocalSockets.Found> found) {
        if (found.isEmpty()) {
            return Optional.of(
                    Relays.here(connection.peer().getAddress())
                            ? new PeerOrigin.Unexplained("no socket of this machine has its address")
                            : new PeerOrigin.Elsewhere());
        }
        LocalSockets.Found socket = found.get();
        // This comes first: for a socket that no process holds any more, the kernel reports user 0.
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

    /** Finds the socket. One that is bound to an interface (SO_BINDTODEVICE of socket(7)) is found only with that interface. */
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
