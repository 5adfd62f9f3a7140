package dev.execserver.server.proxy;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TcpCalls;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.proxy.rules.OwnPorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listening socket on the loopback address, with the virtual thread that accepts on it until it is closed. */
final class ProxyListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyListener.class);

    /** Pause after a failed accept. Without a free descriptor the connection stays queued, and accept fails at once. */
    private static final long OUT_OF_DESCRIPTORS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final AsyncFd listener;
    private final OpenConnections connections;
    private final OwnPorts ownPorts;
    private final InetSocketAddress address;

    private ProxyListener(AsyncFd listener, OpenConnections connections, OwnPorts ownPorts) {
        this.listener = listener;
        this.connections = connections;
        this.ownPorts = ownPorts;
        this.address = listener.use(TcpCalls::localAddress);
        ownPorts.add(address.getPort());
    }

    /** @throws LinuxException if there is no loopback address or no free descriptor */
    static ProxyListener open(
            OpenConnections connections, OwnPorts ownPorts, ProxySockets sockets, Consumer<TcpConnection> guest) {
        ProxyListener door = new ProxyListener(listening(sockets), connections, ownPorts);
        Threads.virtual("proxy-accept", () -> door.accept(sockets, guest));
        return door;
    }

    /** Listens on IPv4, as every client expects; on ::1 if the machine has no IPv4. */
    private static AsyncFd listening(ProxySockets sockets) {
        try {
            return sockets.listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        } catch (LinuxException e) {
            return sockets.listen(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0));
        }
    }

    InetSocketAddress address() {
        return address;
    }

    private void accept(ProxySockets sockets, Consumer<TcpConnection> guest) {
        try {
            while (connections.awaitRoom()) {
                Optional<Fd> accepted = tryAccept();
                if (accepted.isPresent()) {
                    admit(sockets.accepted(accepted.get()), sockets, guest);
                } else {
                    listener.awaitReadable();
                }
            }
        } catch (ClosedException e) {
            // No more connections.
        }
    }

    private void admit(TcpConnection wire, ProxySockets sockets, Consumer<TcpConnection> guest) {
        if (sockets.awaitDescriptors(connections::isClosed)) {
            guest.accept(wire);
        } else {
            wire.close();
        }
    }

    private Optional<Fd> tryAccept() {
        for (boolean told = false; ; told = true) {
            try {
                return listener.use(TcpCalls::accept);
            } catch (LinuxException e) {
                if (!told) {
                    LOG.warn("a connection to a network proxy waits: {}", e.getMessage());
                }
                LockSupport.parkNanos(OUT_OF_DESCRIPTORS_NANOS);
            }
        }
    }

    @Override
    public void close() {
        ownPorts.remove(address.getPort());
        listener.close();
    }
}
