package dev.execserver.server.transport;

import java.net.InetSocketAddress;
import java.util.Optional;

/** Decides about each connection of a listener before anything is read from it. Called by the connection's thread, which may wait. */
@FunctionalInterface
public interface PeerCheck {

    /** Lets everybody in. */
    PeerCheck NONE = (_, _) -> Optional.empty();

    /**
     * Why the connection is not served, in words for the peer; empty when it is.
     *
     * @param peer address that it came from
     * @param local address that it came to
     */
    Optional<String> refusal(InetSocketAddress peer, InetSocketAddress local);
}
