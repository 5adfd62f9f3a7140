package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.PeerCheck;
import dev.execserver.server.transport.auth.LocalPeer;
import dev.execserver.server.transport.files.EarlyClose;
import dev.execserver.server.transport.files.TransferTimeouts;
import dev.execserver.server.transport.origin.ClientAddress;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.http.Status;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Checks every connection, whatever it will ask for. A refused connection gets status 403 and is closed; none of its
 * bytes is interpreted.
 *
 * <p>Threads: connection threads. No state, no locks.
 */
final class PeerGate implements ServerConnectionSelector {
    private final ServerConnectionSelector protocol;
    private final PeerCheck check;
    private final PendingConnections doorman;
    private final RefusalLog refusals;
    private final Function<SocketAddress, TransferTimeouts> patience;

    /** @param patience sets the time by which a peer has to be gone */
    PeerGate(
            ServerConnectionSelector protocol,
            PeerCheck check,
            PendingConnections doorman,
            RefusalLog refusals,
            Function<SocketAddress, TransferTimeouts> patience) {
        this.doorman = doorman;
        this.refusals = refusals;
        this.protocol = protocol;
        this.check = check;
        this.patience = patience;
    }

    @Override
    public int bytesToIdentifyConnection() {
        return protocol.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return protocol.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return protocol.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext accepted) {
        ConnectionContext context = named(accepted);
        SocketAddress peer = context.remotePeer().address();
        Optional<String> refusal = refusal(peer, context);
        refusal.ifPresent(text ->
                refusals.refused(ClientAddress.direct(SocketHelpers.text(peer)), "unread", Status.FORBIDDEN_403, text));
        return refusal.<ServerConnection>map(text -> new Refused(context, text, patience.apply(peer)))
                .orElseGet(() -> protocol.connection(context));
    }

    /** Returns a context with an address that is the peer's own, also on a Unix socket. */
    private ConnectionContext named(ConnectionContext context) {
        return context.remotePeer().address() instanceof UnixDomainSocketAddress
                ? doorman.local(context.childSocketId())
                        .<ConnectionContext>map(peer -> new NamedContext(context, new NamedContext.Peer(peer)))
                        .orElse(context)
                : context;
    }

    private Optional<String> refusal(SocketAddress peer, ConnectionContext context) {
        return switch (peer) {
            case LocalPeer local -> check.refusal(local);
            case InetSocketAddress from
            when context.localPeer().address() instanceof InetSocketAddress to -> check.refusal(from, to);
            default -> Optional.of("this connection has ended"); // its place was given up
        };
    }

    private record Refused(ConnectionContext context, String text, TransferTimeouts patience)
            implements ServerConnection {
        @Override
        public void handle(Limit limit) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            context.dataWriter()
                    .writeNow(BufferData.create(
                            "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                                    + body.length + "\r\nConnection: close\r\n\r\n" + text));
            EarlyClose.leave(context.dataReader(), patience);
        }

        @Override
        public Duration idleTime() {
            return Duration.ZERO;
        }

        @Override
        public void close(boolean interrupt) {
            // the connection ends soon anyway
        }
    }
}
