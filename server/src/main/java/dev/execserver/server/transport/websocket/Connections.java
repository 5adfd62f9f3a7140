package dev.execserver.server.transport.websocket;

import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.ConnectionHandler;
import io.helidon.http.Status;
import io.helidon.webserver.ConnectionContext;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Set of all upgraded connections of a listener.
 *
 * <p>Threads: connection threads open and close, the timer ticks, the thread that stops the server closes all. No
 * locks.
 */
final class Connections {
    private final Set<WebSocketConnection> open = ConcurrentHashMap.newKeySet();
    private final PendingConnections doorman;
    private final WebSocketOptions.Times times;
    private final MemoryBudget received;
    private final ConnectionHandler handler;
    private final Executor controlWriters = task -> Threads.virtual("ws-control", task);
    private volatile boolean refusing;
    private volatile boolean closing;

    Connections(PendingConnections doorman, WebSocketOptions options, ConnectionHandler handler) {
        this.doorman = doorman;
        this.times = options.times();
        this.received = options.room().received();
        this.handler = handler;
    }

    /**
     * Admits the peer of a valid upgrade request, or throws the refusal. Call {@link #open} or {@link #forget}
     * afterwards.
     */
    SocketChannel admit(ConnectionContext context) {
        if (refusing) {
            throw HttpRefusal.of(Status.SERVICE_UNAVAILABLE_503, "server is shutting down");
        }
        return doorman.upgrade(context.remotePeer().address())
                .orElseThrow(() -> HttpRefusal.of(Status.SERVICE_UNAVAILABLE_503, "too many connections"));
    }

    /**
     * Makes the connection. Call it when the answer to the upgrade request was sent, because frames may be sent from
     * now on.
     */
    WebSocketConnection open(ConnectionContext context, SocketChannel channel, WebSocketTransport.Peer client) {
        SocketAddress peer = context.remotePeer().address();
        UpgradedConnection wire =
                context.isSecure() ? new TlsWire(context.serverSocket(), channel) : PlainWire.of(channel);
        WebSocketTransport transport = new WebSocketTransport(
                client, new PrefetchedConnection(context.dataReader(), wire), times, received, controlWriters);
        WebSocketConnection connection =
                new WebSocketConnection(transport, handler, ended -> ended(ended, peer, channel));
        open.add(connection);
        if (closing) {
            transport.close(CloseReason.GOING_AWAY);
        }
        return connection;
    }

    /** Notes that the peer will be refused after a wait. */
    void refusedSoon(SocketAddress peer, Duration wait) {
        doorman.refusedSoon(peer, wait);
    }

    /** Releases the place of an admitted peer that did not get its answer. */
    void forget(ConnectionContext context, SocketChannel channel) {
        doorman.left(context.remotePeer().address(), channel, times.close());
    }

    private void ended(WebSocketConnection connection, SocketAddress peer, SocketChannel channel) {
        if (open.remove(connection)) {
            doorman.left(peer, channel, times.close());
        }
    }

    void tick(long now) {
        open.forEach(connection -> connection.transport().tick(now));
    }

    void refuseNew() {
        refusing = true;
    }

    /** Closes all connections, also those that are just being opened. */
    void closeAll() {
        refusing = true;
        closing = true;
        open.forEach(connection -> connection.transport().close(CloseReason.GOING_AWAY));
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
