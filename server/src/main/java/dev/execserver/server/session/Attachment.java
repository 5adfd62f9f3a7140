package dev.execserver.server.session;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.transport.auth.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A connection, as the session that it is attached to sees it. */
public interface Attachment {

    /** The subject that the connection's credential names, if any. */
    Optional<Subject> subject();

    /** Returns true if the connection may do less than its credential allows, as a page that looks only. */
    default boolean looksOnly() {
        return false;
    }

    /** The queue that takes the events. */
    Outbound outbound();

    /**
     * Sends a request to the client without waiting for the answer. A caller that gives up cancels the future.
     *
     * @return the result; fails with {@link ConnectionGoneException} if the connection ends first
     */
    CompletableFuture<JsonSlice> ask(String method, JsonWritable params);

    /** Sends a ping and waits for a sign of life. Returns false if none comes within the limit. */
    boolean provesAlive(Duration limit);

    /** Waits, for a limited time, until running requests are answered and the answers are sent. */
    void awaitLastAnswers();

    /**
     * Called when another connection has taken the session: closes this connection with the reason, which ends its
     * waiting reads.
     */
    void displaced();
}
