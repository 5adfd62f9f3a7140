package dev.execserver.client.transport;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.IOException;
import java.util.Optional;

/** One connection that moves whole messages. {@link #receive} belongs to one thread, everything else to any. */
public interface ClientTransport extends AutoCloseable {

    /** The largest message of the protocol in bytes (64 MiB). */
    int MAX_MESSAGE_BYTES = 64 << 20;

    /**
     * Waits for the next message. The array is the receiver's to keep.
     *
     * @return empty when the other side has ended the connection in order
     * @throws IOException when it ended otherwise, also by {@link #close()}, or a limit was passed
     */
    Optional<byte[]> receive() throws IOException;

    /** Sends one message, waiting for the socket if need be. The buffer's content is undefined afterwards. */
    void send(MessageBuffer message) throws IOException;

    /** Asks for a sign of life that ends {@link #idleNanos()}; does nothing where there is no such thing. */
    default void ping() throws IOException {}

    /** Nanoseconds since anything was received; 0 where a peer cannot vanish silently. */
    default long idleNanos() {
        return 0;
    }

    /** Why the other side closed the connection, if it said so. */
    default Optional<String> closeReason() {
        return Optional.empty();
    }

    /** Whether {@link #receive} may block in the kernel, so that it needs a platform thread. */
    default boolean blocksInKernel() {
        return false;
    }

    /** Ends the connection and wakes the receiver. May be called twice. */
    @Override
    void close();
}
