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
 * Finds out who is behind a connection that was accepted here. The kernel names the peer's socket when it is one of this network namespace,
 * whatever address it came from (sock_diag(7)); the processes of this user are then searched for who holds it. Costs microseconds for a
 * peer elsewhere, milliseconds for one of this user. Any thread; no state but what does not change.
 */
public final class LocalPeers {
    /** The socket may just go from a parent that ends to a child that the list of processes does not have yet. */
    private static final int LOOKS = 3;

    private final Confinement confinement;
    private final ControlGroupIds groups = ControlGroupIds.ofThisMachine();

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
     * Tells who is behind a connection.
     *
     * @param peer address that it came from
     * @param local address that it came to
     * @throws LinuxException when the kernel cannot be asked
     */
    public PeerOrigin of(InetSocketAddress peer, InetSocketAddress local) {
        for (int look = 0; look < LOOKS; look++) {
            Optional<LocalSockets.Found> socket = find(peer, local);
            if (socket.isEmpty()) {
                return here(peer.getAddress())
                        ? new PeerOrigin.Unexplained("no socket of this machine has its address")
                        : new PeerOrigin.Elsewhere();
            }
            // First: the kernel says user 0 of a socket that nobody has open any more, whoever made it.
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

    private static boolean here(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }
}
