package dev.execserver.server;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.config.Listen;
import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.LocalAccess;
import dev.execserver.server.config.PassedSockets;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.ConnectionHandler;
import dev.execserver.server.transport.websocket.ListenException;
import dev.execserver.server.transport.websocket.WebSocketOptions;
import dev.execserver.server.transport.websocket.WebSocketServer;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listener on one socket or several. They close at the same time, so that no client waits for those of another one. */
final class SocketListener implements Listener {
    private static final Logger LOG = LoggerFactory.getLogger(SocketListener.class);

    private final List<WebSocketServer> servers;
    private final String url;

    private SocketListener(List<WebSocketServer> servers, String url) {
        this.servers = List.copyOf(servers);
        this.url = url;
    }

    /**
     * Listens on all addresses.
     *
     * @param network settings for clients on a network
     * @param local settings for clients on Unix sockets
     * @param sandboxd settings for the addresses of the runtime interface
     * @throws UncheckedIOException if one of them is not free; none is listened on then
     */
    static SocketListener open(
            Listen listen,
            WebSocketOptions network,
            WebSocketOptions local,
            Optional<WebSocketOptions> sandboxd,
            ConnectionHandler handler) {
        List<WebSocketServer> servers = new ArrayList<>();
        boolean opened = false;
        try {
            for (ListenUrl url : listen.urls()) {
                servers.add(open(url, listen.localAccess(), network, local, handler));
            }
            for (InetSocketAddress address : sandboxd.isPresent() ? listen.sandboxd() : List.<InetSocketAddress>of()) {
                WebSocketServer server = open(
                        new ListenUrl.WebSocket(address),
                        listen.localAccess(),
                        sandboxd.get(),
                        sandboxd.get(),
                        transport -> transport.close(CloseReason.GOING_AWAY));
                servers.add(server);
                // The port may have been 0.
                LOG.info("--sandboxd: listens on {}", URI.create(server.url()).getAuthority());
            }
            opened = true;
        } finally {
            if (!opened) {
                servers.forEach(WebSocketServer::close);
            }
        }
        return new SocketListener(
                servers, servers.get(listen.urls().indexOf(listen.url())).url());
    }

    static WebSocketServer open(
            ListenUrl url,
            LocalAccess access,
            WebSocketOptions network,
            WebSocketOptions local,
            ConnectionHandler handler) {
        try {
            return switch (url) {
                case ListenUrl.WebSocket(InetSocketAddress address) ->
                    WebSocketServer.start(address.getAddress().getHostAddress(), address.getPort(), network, handler);
                case ListenUrl.Unix(Path path) ->
                    WebSocketServer.startUnix(path, access.mode(), access.group(), local, handler);
                case ListenUrl.PassedSocket passed -> openPassed(passed, network, local, handler);
                case ListenUrl.Stdio _ -> throw new IllegalArgumentException("stdio is no socket");
            };
        } catch (ListenException e) {
            throw new UncheckedIOException(url.toString(), e);
        }
    }

    private static WebSocketServer openPassed(
            ListenUrl.PassedSocket wanted, WebSocketOptions network, WebSocketOptions local, ConnectionHandler handler)
            throws ListenException {
        PassedSockets.Passed socket = wanted.find()
                .orElseThrow(() -> ConfigException.failure(
                        "--listen " + wanted + ": the service manager has passed no such listening socket",
                        "Start the server by a socket unit (docs/deploy.md); with several, name one: fd://NAME."));
        boolean unix = socket.place() instanceof ListenUrl.Unix;
        return WebSocketServer.startPassed(
                socket.descriptor(), socket.place().toString(), unix, unix ? local : network, handler);
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public void start(Runnable ended) {
        // it has served since it was made; clients can come as long as it is open
    }

    @Override
    public void stopAccepting() {
        servers.forEach(WebSocketServer::stopAccepting);
    }

    @Override
    public void close() {
        List<Thread> closing = servers.stream()
                .map(server -> Threads.daemon("close-listener", server::close))
                .toList();
        closing.forEach(Threads::join);
    }
}
