package dev.execserver.server.transport;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.server.transport.auth.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One peer, seen as a stream of whole messages in both directions.
 *
 * <p>Threads: {@link #read} is called by the connection's reader thread only. {@link #write} is called by one thread at
 * a time. {@link #close} and the rest may be called by any thread. Reading never waits for writing.
 */
public interface Transport {
    /** No message above this size is accepted, and none is ever sent. */
    int MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

    /** What the peer is, for logs and error prefixes: {@code websocket 127.0.0.1:4711} or {@code stdio}. */
    String describe();

    /** Whom the credential of the peer names, if it had one that names anybody. */
    default Optional<Subject> subject() {
        return Optional.empty();
    }

    /** How long the peer may take to say who it is; empty where it has no limit. */
    default Optional<Duration> greetingLimit() {
        return Optional.empty();
    }

    /**
     * Waits for the next whole message.
     *
     * @return the message, which belongs to the caller; empty once the peer is gone or the transport was closed, whether
     *     orderly or not
     * @throws MessageTooLargeException in the place of a message that is too large and was skipped; more can be read
     * @throws IOException when the peer broke a rule that the transport has no way of telling it
     */
    Optional<ReceivedMessage> read() throws IOException;

    /** True when a peer that sends no more may still read: the two directions are streams of their own. */
    default boolean takesAnswersAfterItsEnd() {
        return false;
    }

    /**
     * Sends the first {@code count} messages of the batch in order, and returns once they were handed to the kernel. The
     * bytes around the payload (head room, tail room) are overwritten; the buffers may be reused afterwards.
     *
     * @throws MessageTooLargeException when a message is above {@link #MAX_MESSAGE_BYTES}; then nothing of the batch was
     *     sent and the transport is still usable
     * @throws IOException when the transport is closed, also while this call waits
     */
    void write(List<MessageBuffer> batch, int count) throws IOException;

    /** Sends one message. */
    default void write(MessageBuffer message) throws IOException {
        write(List.of(message), 1);
    }

    /**
     * Ends the connection: tells the peer why if the transport has words for it, wakes the reader and a blocked writer
     * within a bounded time. Does not block, and only the first call counts.
     */
    void close(CloseReason reason);

    /** {@link System#nanoTime} of the last piece that the kernel took for the peer; now where that is not known. */
    default long lastOutboundNanos() {
        return System.nanoTime();
    }

    /** {@link System#nanoTime} of the last byte that came from the peer. */
    long lastInboundNanos();

    /** Asks the peer for a sign of life, where the protocol has words for that. Never waits. */
    default void probe() {}

    /**
     * Bytes that were written and that the peer's kernel has not acknowledged; empty when that cannot be known. Costs a
     * look at a table of all connections of the machine.
     */
    default OptionalLong unacknowledgedBytes() {
        return OptionalLong.empty();
    }

    /** {@link System#nanoTime} of the last sign of life: a byte that came, or held-up data that went on. */
    default long lastSignOfLifeNanos() {
        return lastInboundNanos();
    }
}
