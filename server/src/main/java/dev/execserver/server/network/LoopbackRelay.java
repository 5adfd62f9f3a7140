package dev.execserver.server.network;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.io.SocketCopy;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TcpCalls;
import dev.execserver.sandbox.peer.Relays;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.DescriptorBudget;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Relays each connection to a proxy on the host's loopback interface. Copies both directions at the speed of the slower
 * side, each until its own end. If the proxy does not listen, or few descriptors are left, the connection ends without
 * a byte. Any number of connections at once, each on one virtual thread and a second one for the way back; no state.
 */
final class LoopbackRelay implements BridgeHandler {
    /**
     * Longest wait for a connect. The loopback interface answers at once unless the proxy's queue of connections is
     * full.
     */
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(LoopbackRelay.class);

    private final List<InetSocketAddress> addresses;
    private final Poller poller;
    private final Buffers buffers;
    private final DescriptorBudget descriptors;

    /**
     * Makes a relay that has no connections yet.
     *
     * @param addresses tried in this order
     */
    LoopbackRelay(List<InetSocketAddress> addresses, Poller poller, Buffers buffers, DescriptorBudget descriptors) {
        this.addresses = List.copyOf(addresses);
        this.poller = poller;
        this.buffers = buffers;
        this.descriptors = descriptors;
    }

    @Override
    public void serve(BridgedConnection connection) {
        Optional<AsyncFd> proxy = connectIfAdmitted();
        if (proxy.isEmpty()) {
            return;
        }
        try (AsyncFd upstream = proxy.get()) {
            AsyncFd inner = connection.socket();
            Thread back = Threads.virtual("bridge-back", () -> copy(upstream, inner));
            copy(inner, upstream);
            Threads.join(back);
        }
    }

    /** Copies one direction. If it breaks, both sockets are closed, because the other direction has no peer left. */
    private void copy(AsyncFd from, AsyncFd to) {
        try {
            SocketCopy.copy(from, to, buffers, descriptors::spareForCommand, _ -> {});
        } catch (LinuxException | ClosedException e) {
            from.close();
            to.close();
        }
    }

    private Optional<AsyncFd> connectIfAdmitted() {
        Optional<DescriptorBudget.Promise> admitted = descriptors.admitForCommand();
        if (admitted.isEmpty()) {
            LOG.warn("a connection of a sandboxed command ends: {}", descriptors.lack());
            return Optional.empty();
        }
        try (DescriptorBudget.Promise _ = admitted.get()) {
            return connect();
        }
    }

    private Optional<AsyncFd> connect() {
        for (InetSocketAddress address : addresses) {
            try {
                Fd fd = Relays.connect(address);
                AsyncFd socket = AsyncFd.pipe(poller, fd);
                if (socket.awaitWritable(CONNECT_LIMIT.toNanos()) && socket.use(TcpCalls::connectError) == 0) {
                    return Optional.of(socket);
                }
                socket.close();
            } catch (LinuxException e) {
                if (e.errno() == Errno.EMFILE) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }
}
