package dev.execserver.server.process.client;

import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.exec.ApprovalClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends requests from a process to the client of its session, and questions about programs to all who may answer them. */
public interface ClientRequests {

    /**
     * Sends a request as soon as a client is attached.
     *
     * @return the future answer, which fails if the connection ends first; empty if no client was attached within the
     * limit
     */
    Optional<CompletableFuture<JsonSlice>> send(String method, JsonWritable params, Duration limit)
            throws InterruptedException;

    /** Asks about a program: those who are there now and, until the question is closed, those who come. Never waits. */
    OpenQuestion ask(ExecApprovalRequest question);

    /** A question that somebody waits for. */
    interface OpenQuestion {

        /** Returns the first answer that counts, as soon as there is one. */
        CompletableFuture<ApprovalClient.Reply> reply();

        /**
         * Closes the question and tells everybody who was asked and has not answered. Never waits.
         *
         * @param over true if nobody waits any more because the process or its start is over
         */
        void close(boolean over);
    }
}
