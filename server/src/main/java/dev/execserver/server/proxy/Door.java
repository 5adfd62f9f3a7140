package dev.execserver.server.proxy;

import dev.execserver.server.concurrent.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening socket on the loopback address, and the virtual thread that accepts on it until it is closed. */
final class Door implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Door.class);

    /** Connections that the kernel holds until they are accepted. */
    private static final int BACKLOG = 512;

    /** Without a free descriptor a connection stays in the queue, and accepting it fails at once: try again later. */
    private static final long OUT_OF_DESCRIPTORS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServerSocketChannel channel;
    private final OpenConnections connections;
    private final OwnPorts ownPorts;
    private final InetSocketAddress address;

    private Door(ServerSocketChannel channel, OpenConnections connections, OwnPorts ownPorts) throws IOException {
        this.channel = channel;
        this.connections = connections;
        this.ownPorts = ownPorts;
        this.address = (InetSocketAddress) channel.getLocalAddress();
        ownPorts.add(address.getPort());
    }

    /** @throws UncheckedIOException when there is no loopback address or no free descriptor */
    static Door open(OpenConnections connections, OwnPorts ownPorts, Consumer<SocketChannel> guest) {
        try {
            Door door = new Door(bound(), connections, ownPorts);
            Threads.virtual("proxy-accept", () -> door.accept(guest));
            return door;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** IPv4 as every client expects; a machine without it has ::1. */
    private static ServerSocketChannel bound() throws IOException {
        try {
            return bound("127.0.0.1");
        } catch (IOException e) {
            return bound("::1");
        }
    }

    private static ServerSocketChannel bound(String literal) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        boolean done = false;
        try {
            channel.bind(new InetSocketAddress(address(literal), 0), BACKLOG);
            done = true;
            return channel;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    private static InetAddress address(String literal) throws UnknownHostException {
        return InetAddress.getByName(literal);
    }

    InetSocketAddress address() {
        return address;
    }

    private void accept(Consumer<SocketChannel> guest) {
        while (connections.awaitRoom() && channel.isOpen()) {
            try {
                guest.accept(channel.accept());
            } catch (IOException e) {
                if (channel.isOpen()) {
                    LOG.warn("a connection to a network proxy waits: {}", e.getMessage());
                    LockSupport.parkNanos(OUT_OF_DESCRIPTORS_NANOS);
                }
            }
        }
    }

    @Override
    public void close() {
        ownPorts.remove(address.getPort());
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing a network proxy: {}", e.toString());
        }
    }
}
