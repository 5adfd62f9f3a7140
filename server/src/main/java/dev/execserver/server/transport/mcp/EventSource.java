package dev.execserver.server.transport.mcp;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.time.Duration;
import java.util.Optional;

/** Messages of one stream for a client, in order. One thread reads; it closes what it has opened. */
public interface EventSource extends AutoCloseable {

    /**
     * Message with its id, by which a client that was cut off goes on.
     *
     * @param id printable ASCII
     */
    record Event(String id, MessageBuffer message) {}

    /** Waits for the next message, at most for {@code limit}. Returns empty if none came, or {@link #over}. */
    Optional<Event> next(Duration limit) throws InterruptedException;

    /** Returns true if no message comes any more. */
    boolean over();

    /** Returns the only message if there is one, and no more come; it needs no stream. */
    Optional<MessageBuffer> single();

    @Override
    void close();
}
