package dev.execserver.server.process;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How a process asks the client of its session. */
@FunctionalInterface
public interface ClientRequests {

    /**
     * Sends a request as soon as a client is attached.
     *
     * @return the answer to come, which fails when the connection ends first; empty when no client was there within the limit
     */
    Optional<CompletableFuture<JsonSlice>> send(String method, JsonWritable params, Duration limit)
            throws InterruptedException;
}
