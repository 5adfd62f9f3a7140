package dev.execserver.sandbox.peer;

/** The process behind a connection, as far as it is known. */
public sealed interface PeerOrigin {

    /** No socket of this machine: the peer is on another machine or in another network namespace. */
    record Elsewhere() implements PeerOrigin {}

    /** A socket of another user. */
    record OtherUser(int uid) implements PeerOrigin {}

    /** A server that connects on behalf of a command, see {@link Relays}. */
    record Relayed() implements PeerOrigin {}

    /** A process of this user that is no sandboxed command. */
    record Unconfined(int pid) implements PeerOrigin {}

    /**
     * A process outside of the PID namespace of this server: it has no process here, and no sandboxed command has the network of
     * the server.
     */
    record Outside() implements PeerOrigin {}

    /** A sandboxed command. */
    record Confined(int pid) implements PeerOrigin {}

    /** A connection from this machine for which no readable process was found. */
    record Unexplained(String reason) implements PeerOrigin {}
}
