package dev.execserver.server.transport.codec;

import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.server.transport.CloseReason;
import java.util.Optional;

/** Input from a peer: a whole message or a control frame. */
public sealed interface Inbound {
    /** A whole message, text or binary. */
    record Message(ReceivedMessage payload) implements Inbound {}

    record Ping(byte[] payload) implements Inbound {}

    record Pong() implements Inbound {}

    /** The peer ends the connection; the reason is empty if its close frame was empty. */
    record Close(Optional<CloseReason> reason) implements Inbound {}
}
