package dev.execserver.client.transport;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.IOException;
import java.util.Optional;

/** Connection that carries whole messages. One thread calls {@link #receive}; any thread may call the rest. */
public interface ClientTransport extends AutoCloseable {

    /** The largest message of the protocol in bytes (64 MiB). */
    int MAX_MESSAGE_BYTES = 64 << 20;

    /**
     * Waits for the next message. The array belongs to the caller.
     *
     * @return empty if the other side has ended the connection properly
     * @throws IOException when it ended otherwise, also by {@link #close()}, or a limit was passed
     */
    Optional<byte[]> receive() throws IOException;

    /** Sends one message and waits for the socket if need be. The buffer's content is undefined afterwards. */
    void send(MessageBuffer message) throws IOException;

    /**
     * Asks for a sign of life that resets {@link #idleNanos()}; does nothing if the protocol has no message for that.
     */
    default void ping() throws IOException {}

    /** Returns the nanoseconds since anything was received; 0 if a peer cannot vanish silently. */
    default long idleNanos() {
        return 0;
    }

    /** Returns the reason why the other side closed the connection, if it gave one. */
    default Optional<String> closeReason() {
        return Optional.empty();
    }

    /** Returns true if {@link #receive} may block in the kernel, so that it needs a platform thread. */
    default boolean blocksInKernel() {
        return false;
    }

    /** Ends the connection and wakes the receiver. May be called twice. */
    @Override
    void close();
}
