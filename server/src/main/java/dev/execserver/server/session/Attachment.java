package dev.execserver.server.session;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.transport.auth.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A connection as its session sees it. */
public interface Attachment {

    /** Whom the credential of the connection names. */
    Optional<Subject> subject();

    /** Where events go. */
    Outbound outbound();

    /**
     * Sends a request to the client, without waiting. Whoever gives up waiting cancels the future.
     *
     * @return the result; fails with {@link ConnectionGoneException} when the connection ends first
     */
    CompletableFuture<JsonSlice> ask(String method, JsonWritable params);

    /** Asks the peer for a sign of life and waits for one; false when none came within the limit. */
    boolean provesAlive(Duration limit);

    /** Lets requests that came be answered, and the answers leave, within a bounded time. */
    void awaitLastAnswers();

    /** The session was given to another connection: this one is closed with the reason and its waiting reads end. */
    void displaced();
}
