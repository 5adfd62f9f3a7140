package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.ConnectionHandler;
import dev.execserver.server.transport.codec.FrameLimits;
import io.helidon.http.Status;
import io.helidon.webserver.ConnectionContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * All upgraded connections of a listener.
 *
 * <p>Threads: connection threads open and close, the timer ticks, whoever stops the server drains. No locks.
 */
final class Connections {
    private final Set<WebSocketConnection> open = ConcurrentHashMap.newKeySet();
    private final Doorman doorman;
    private final WebSocketOptions options;
    private final ConnectionHandler handler;
    private final Executor controlWriters =
            task -> Thread.ofVirtual().name("ws-control").start(task);
    private volatile boolean draining;

    Connections(Doorman doorman, WebSocketOptions options, ConnectionHandler handler) {
        this.doorman = doorman;
        this.options = options;
        this.handler = handler;
    }

    /** Makes a connection out of an upgrade request that was found good. */
    WebSocketConnection open(ConnectionContext context) {
        if (draining) {
            throw HttpRefusal.of(Status.SERVICE_UNAVAILABLE_503, "server is shutting down");
        }
        SocketAddress peer = context.remotePeer().address();
        SocketChannel channel = doorman.upgrade(peer)
                .orElseThrow(() -> HttpRefusal.of(Status.SERVICE_UNAVAILABLE_503, "too many connections"));
        try {
            Wire wire = context.isSecure() ? new TlsWire(context.serverSocket(), channel) : new PlainWire(channel);
            WebSocketTransport transport = new WebSocketTransport(
                    Sockets.text(peer),
                    new EarlyBytes(context.dataReader(), wire),
                    FrameLimits.DEFAULT,
                    options,
                    controlWriters);
            WebSocketConnection connection = new WebSocketConnection(transport, handler, this);
            open.add(connection);
            return connection;
        } catch (IOException e) {
            doorman.left();
            throw new UncheckedIOException(e);
        }
    }

    void ended(WebSocketConnection connection) {
        if (open.remove(connection)) {
            doorman.left();
        }
    }

    void tick(long now) {
        open.forEach(connection -> connection.transport().tick(now));
    }

    void refuseNew() {
        draining = true;
    }

    void closeAll(CloseReason reason) {
        open.forEach(connection -> connection.transport().close(reason));
    }

    void abortAll() {
        open.forEach(connection -> connection.transport().abort());
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    int size() {
        return open.size();
    }
}
