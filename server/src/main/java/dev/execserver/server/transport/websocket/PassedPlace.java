package dev.execserver.server.transport.websocket;

import dev.execserver.sandbox.linux.InheritedSockets;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.server.concurrent.Threads;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket that listens already, because a service manager has made it. Helidon opens its sockets itself; so it opens one of the
 * same kind that nobody knows, and then dup3(2) puts the passed one in its place: the next accept(2) takes its clients. The
 * threads that start the server and its timer use it.
 */
final class PassedPlace implements ListenPlace {
    private static final Logger LOG = LoggerFactory.getLogger(PassedPlace.class);

    /** Time for which the server's own connection stays, which ends the wait at the socket that was replaced. */
    private static final Duration MOMENT = Duration.ofSeconds(2);

    private final int descriptor;
    private final String address;
    private final boolean unix;
    private volatile ServerSocketChannel channel;

    /** @param address URL of clients without TLS */
    PassedPlace(int descriptor, String address, boolean unix) {
        this.descriptor = descriptor;
        this.address = address;
        this.unix = unix;
    }

    @Override
    public String name() {
        return address;
    }

    @Override
    public String url(boolean tls) {
        return tls && !unix ? address.replaceFirst("^ws:", "wss:") : address;
    }

    @Override
    public void prepare() {
        // it has listened since before this process began
    }

    @Override
    public void addTo(WebServerConfig.Builder server) {
        if (unix) {
            server.bindAddress(UnixDomainSocketAddress.of(file())).useNio(true);
        } else {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            server.host(loopback.getHostAddress()).address(loopback).port(0);
        }
    }

    /** Returns a name for a socket of a moment, in a folder that only this user can enter. */
    private static Path file() {
        try {
            return Files.createTempDirectory("exec-server-").resolve("s");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public PassedPlace opened(WebServer server) throws ListenException {
        ServerSocketChannel own = HttpListener.channel(server);
        try {
            SocketAddress before = own.getLocalAddress();
            InheritedSockets.replace(UnixPeers.descriptor(own), descriptor);
            channel = own;
            wake(before);
            if (before instanceof UnixDomainSocketAddress file) {
                Files.deleteIfExists(file.getPath());
                Files.deleteIfExists(file.getPath().getParent());
            }
            return this;
        } catch (LinuxException e) {
            throw ListenException.of(new IOException(e.getMessage(), e));
        } catch (IOException e) {
            throw ListenException.of(e);
        }
    }

    /**
     * Connects to the old socket, at which a thread may wait in accept(2). Where no thread waits, that socket is gone. The
     * connection stays for a moment, so that the gate can see that it is the server's own.
     */
    private static void wake(SocketAddress before) {
        try {
            SocketChannel client = SocketChannel.open(before);
            Threads.virtual("passed-socket", () -> letGo(client));
        } catch (IOException e) {
            LOG.trace("nobody waits at {}: {}", before, e.getMessage());
        }
    }

    private static void letGo(SocketChannel client) {
        try (client) {
            Thread.sleep(MOMENT);
        } catch (IOException e) {
            LOG.trace("already closed: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Helidon closes the channel of a listener that it gives up. */
    @Override
    public boolean deserted() {
        ServerSocketChannel served = channel;
        return served != null && !served.isOpen();
    }
}
