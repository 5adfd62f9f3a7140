package dev.execserver.server.transport;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.protocol.rpc.TraceContext;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.transport.auth.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Stream of whole messages to and from one peer.
 *
 * <p>Threads: {@link #read} is called by the connection's reader thread only. {@link #write} is called by one thread at
 * a time. {@link #close} and the rest may be called by any thread. Reading never waits for writing.
 */
public interface Transport {
    /** Size limit of a message in either direction. Larger ones are neither accepted nor sent. */
    int MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

    /** Returns a name of the peer for logs and error prefixes: {@code websocket 127.0.0.1:4711} or {@code stdio}. */
    String describe();

    /** Returns the word for the kind of connection that error texts of the protocol have before "JSON-RPC"; empty for stdio. */
    default Optional<String> kind() {
        return Optional.empty();
    }

    /** Returns address and port of the peer, {@code 127.0.0.1:4711}; empty if it has none. */
    default Optional<String> address() {
        return Optional.empty();
    }

    /** Returns address and port of the trusted proxy through which the peer came. */
    default Optional<String> proxy() {
        return Optional.empty();
    }

    /** Returns the owner of the peer's credential, if the credential names one. */
    default Optional<Subject> subject() {
        return Optional.empty();
    }

    /** Returns the rights with which the peer was admitted: those of its credential, or fewer. */
    default Rights rights() {
        return Subject.rights(subject());
    }

    /** Returns where the peer stood in its trace when it connected. */
    default Optional<TraceContext> trace() {
        return Optional.empty();
    }

    /** Returns the time within which the peer must complete the handshake; empty if there is no limit. */
    default Optional<Duration> greetingLimit() {
        return Optional.empty();
    }

    /**
     * Waits for the next whole message.
     *
     * @return the message, which belongs to the caller; empty once the peer is gone or the transport was closed,
     *     orderly or not
     * @throws MessageTooLargeException in the place of a message that is too large and was skipped; more can be read
     * @throws IOException when the peer broke a rule and the transport cannot tell it so
     */
    Optional<ReceivedMessage> read() throws IOException;

    /** Returns true if a peer that sends no more may still read, because the two directions are separate streams. */
    default boolean takesAnswersAfterItsEnd() {
        return false;
    }

    /**
     * Sends the first {@code count} messages of the batch in order, and returns when the kernel has taken them. The
     * bytes around the payload (head room, tail room) are overwritten; the buffers may be reused afterwards.
     *
     * @throws MessageTooLargeException when a message is above {@link #MAX_MESSAGE_BYTES}; then nothing of the batch
     *     was sent and the transport is still usable
     * @throws IOException when the transport is closed, also while this call waits
     */
    void write(List<MessageBuffer> batch, int count) throws IOException;

    /** Sends one message. */
    default void write(MessageBuffer message) throws IOException {
        write(List.of(message), 1);
    }

    /**
     * Ends the connection. Tells the peer the reason if the protocol can, and wakes the reader and a blocked writer
     * within a bounded time. Does not block. Only the first call counts.
     */
    void close(CloseReason reason);

    /**
     * Returns the {@link System#nanoTime} at which the kernel last took data for the peer; now if that is not known.
     */
    default long lastOutboundNanos() {
        return System.nanoTime();
    }

    /** Returns the {@link System#nanoTime} of the last byte that came from the peer. */
    long lastInboundNanos();

    /** Asks the peer for a sign of life if the protocol has a message for that. Never waits. */
    default void probe() {}

    /**
     * Returns the bytes that were written but not acknowledged by the peer's kernel; empty if that cannot be known.
     * Reads a table of all connections of the machine.
     */
    default OptionalLong unacknowledgedBytes() {
        return OptionalLong.empty();
    }

    /**
     * Returns the {@link System#nanoTime} of the last sign of life: a byte from the peer, or progress of data behind
     * which a control frame waits.
     */
    default long lastSignOfLifeNanos() {
        return lastInboundNanos();
    }
}
