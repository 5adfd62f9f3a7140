package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.files.ForwardedContext;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import java.net.SocketAddress;
import java.security.Principal;
import java.security.cert.Certificate;
import java.util.Optional;

/** Helidon's context of a connection on a Unix socket, with an address of its own for the peer. */
final class NamedContext extends ForwardedContext {
    private final PeerInfo peer;

    NamedContext(ConnectionContext context, PeerInfo peer) {
        super(context);
        this.peer = peer;
    }

    /** Peer without a host name. */
    record Peer(SocketAddress address) implements PeerInfo {
        @Override
        public String host() {
            return address.toString();
        }

        @Override
        public int port() {
            return -1;
        }

        @Override
        public Optional<Principal> tlsPrincipal() {
            return Optional.empty();
        }

        @Override
        public Optional<Certificate[]> tlsCertificates() {
            return Optional.empty();
        }
    }

    @Override
    public PeerInfo remotePeer() {
        return peer;
    }
}
