package dev.execserver.sandbox.peer;

/** Who is behind a connection. */
public sealed interface PeerOrigin {

    /** No socket of this machine: the peer is on another one, or in another network namespace. */
    record Elsewhere() implements PeerOrigin {}

    /** A socket of another user. */
    record OtherUser(int uid) implements PeerOrigin {}

    /** A server that connects on behalf of a command, see {@link Relays}. */
    record Relayed() implements PeerOrigin {}

    /** A process of this user that is no sandboxed command. */
    record Unconfined(int pid) implements PeerOrigin {}

    /** A sandboxed command. */
    record Confined(int pid) implements PeerOrigin {}

    /** A connection of this machine that nobody owns who could be looked at. */
    record Unexplained(String reason) implements PeerOrigin {}
}
