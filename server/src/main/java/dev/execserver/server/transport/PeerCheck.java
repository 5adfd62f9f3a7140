package dev.execserver.server.transport;

import dev.execserver.server.transport.auth.LocalPeer;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Decides about each connection of a listener before anything is read from it. The connection's thread calls it and may
 * wait.
 */
public interface PeerCheck {

    /** Accepts every connection. */
    PeerCheck NONE = new PeerCheck() {
        @Override
        public Optional<String> refusal(InetSocketAddress peer, InetSocketAddress local) {
            return Optional.empty();
        }

        @Override
        public Optional<String> refusal(LocalPeer peer) {
            return Optional.empty();
        }
    };

    /**
     * Returns the reason why the connection is refused, as a text for the peer; empty if it is accepted.
     *
     * @param peer address that the connection came from
     * @param local address that the connection came to
     */
    Optional<String> refusal(InetSocketAddress peer, InetSocketAddress local);

    /** Does the same for a peer on a Unix socket. */
    Optional<String> refusal(LocalPeer peer);
}
