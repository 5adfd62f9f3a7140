package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LocalSockets;
import dev.execserver.sandbox.linux.ProcStatus;
import dev.execserver.sandbox.linux.TcpCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;

/**
 * Finds the process behind an accepted connection. The kernel names the peer's socket if it is in this network namespace,
 * whatever its address (sock_diag(7)). Then the processes of this user are searched for a holder of that socket. Costs
 * microseconds for a peer elsewhere, milliseconds for one of this user. Any thread; all state is constant.
 */
public final class LocalPeers {
    /**
     * Number of searches: the socket may be passing from an ending parent to a child that the first list of processes lacks.
     */
    private static final int LOOKS = 3;

    private final Confinement confinement;
    private final ControlGroupIds groups = ControlGroupIds.ofThisMachine();

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
            PeerOrigin origin =
                    of(TcpCalls.localAddress(connection.number()), TcpCalls.localAddress(listener.number()));
            return origin instanceof PeerOrigin.Unconfined
                    ? Optional.empty()
                    : Optional.of("a connection of the server's own was not recognized: " + origin);
        } catch (LinuxException e) {
            return Optional.of("the kernel cannot be asked who owns a socket: " + e.getMessage());
        }
    }

    /**
     * Returns the origin of a connection.
     *
     * @param peer remote address
     * @param local local address
     * @throws LinuxException if the kernel cannot be asked
     */
    public PeerOrigin of(InetSocketAddress peer, InetSocketAddress local) {
        for (int look = 0; look < LOOKS; look++) {
            Optional<LocalSockets.Found> socket = find(peer, local);
            if (socket.isEmpty()) {
                return here(peer.getAddress())
                        ? new PeerOrigin.Unexplained("no socket of this machine has its address")
                        : new PeerOrigin.Elsewhere();
            }
            // This comes first: for a socket that no process holds any more, the kernel reports user 0.
            if (socket.get().inode() == 0) {
                return new PeerOrigin.Unexplained("whoever made it has closed it");
            }
            if (!confinement.ofThisUser(socket.get().uid())) {
                return new PeerOrigin.OtherUser(socket.get().uid());
            }
            Optional<PeerOrigin> origin = new Holders(confinement, groups, socket.get()).find();
            if (origin.isPresent()) {
                return origin.get();
            }
        }
        return new PeerOrigin.Unexplained("no process that can be looked into has it open");
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

    private static boolean here(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }
}
