package dev.execserver.server.proxy;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TcpCalls;
import dev.execserver.sandbox.peer.Relays;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.proxy.rules.HostName;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Makes the sockets of all proxies. Uses our own descriptors instead of the JDK's channels, because splice(2) can then
 * move their data without a copy. Any thread, virtual ones park; no locks.
 */
final class ProxySockets {

    /** Most connections that the kernel queues until they are accepted. */
    private static final int BACKLOG = 512;

    /** Native buffers that are kept for copying. More are made when needed. */
    private static final int IDLE_BUFFERS = 64;

    private final Poller poller;
    private final DescriptorBudget descriptors;
    private final Buffers buffers = new Buffers(IDLE_BUFFERS);

    ProxySockets(Poller poller, DescriptorBudget descriptors) {
        this.poller = poller;
        this.descriptors = descriptors;
    }

    /** Returns the number of connections that a command may have at once. */
    int forCommand(int atMost) {
        return descriptors.forCommand(atMost);
    }

    /**
     * Waits while few descriptors are left. Called for each accepted connection.
     *
     * @return false if {@code over} became true
     */
    boolean awaitDescriptors(BooleanSupplier over) {
        return descriptors.awaitForCommand(over);
    }

    /** @throws LinuxException if there is no such address or no free descriptor */
    AsyncFd listen(InetSocketAddress address) {
        return AsyncFd.pipe(poller, TcpCalls.listen(address, BACKLOG));
    }

    /** Wraps an accepted connection. */
    TcpConnection accepted(Fd fd) {
        Optional<String> peer = TcpCalls.peerAddress(fd.number()).map(HostName::authority);
        return wire(AsyncFd.pipe(poller, fd), peer);
    }

    /** Wraps a connection from a sandbox. It has no peer address, because addresses in there mean nothing here. */
    TcpConnection bridged(AsyncFd socket) {
        return wire(socket, Optional.empty());
    }

    private TcpConnection wire(AsyncFd socket, Optional<String> peer) {
        return new TcpConnection(socket, buffers, descriptors::spareForCommand, peer);
    }

    /**
     * Connects to an address.
     *
     * @throws ConnectException if the address refuses the connection
     * @throws IOException with the kernel's text for another failure, or if few descriptors are left
     */
    TcpConnection connect(InetSocketAddress address, Duration limit) throws IOException {
        try (DescriptorBudget.Promise _ =
                descriptors.admitForCommand().orElseThrow(() -> new SocketException(descriptors.lack()))) {
            return connectAdmitted(address, limit);
        }
    }

    private TcpConnection connectAdmitted(InetSocketAddress address, Duration limit) throws IOException {
        AsyncFd socket;
        try {
            socket = AsyncFd.pipe(poller, Relays.connect(address));
        } catch (LinuxException e) {
            throw failure(e.errno());
        }
        boolean connected = false;
        try {
            if (!socket.awaitWritable(limit.toNanos())) {
                throw new SocketTimeoutException("Connect timed out");
            }
            int errno = socket.use(TcpCalls::connectError);
            if (errno != 0) {
                throw failure(errno);
            }
            connected = true;
            return wire(socket, Optional.empty());
        } catch (ClosedException e) {
            throw new SocketException("the server is ending", e);
        } finally {
            if (!connected) {
                socket.close();
            }
        }
    }

    private static IOException failure(int errno) {
        return errno == Errno.ECONNREFUSED
                ? new ConnectException(Errno.text(errno))
                : new SocketException(Errno.text(errno));
    }
}
