package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.MessageBuffer;

/** A way to the client: standard output, or a stream of HTTP. Any thread sends. */
@FunctionalInterface
public interface Peer {

    /** Sends one message. May wait for the client; drops the message if the client has gone. */
    void send(MessageBuffer message);

    /** Sends an answer of any size, or returns false if there is no room for it until the client takes it. */
    default boolean trySend(MessageBuffer answer) {
        send(answer);
        return true;
    }

    /** Sends a notification about progress, or drops it where nobody takes it. */
    default void sendProgress(MessageBuffer message) {
        send(message);
    }

    /** Called once for each request that came this way, when it has its answer or needs none any more. */
    default void requestEnded() {}
}
