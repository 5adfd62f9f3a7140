package dev.execserver.server.process.client;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends requests from a process to the client of its session. */
@FunctionalInterface
public interface ClientRequests {

    /**
     * Sends a request as soon as a client is attached.
     *
     * @return the future answer, which fails if the connection ends first; empty if no client was attached within the
     * limit
     */
    Optional<CompletableFuture<JsonSlice>> send(String method, JsonWritable params, Duration limit)
            throws InterruptedException;
}
