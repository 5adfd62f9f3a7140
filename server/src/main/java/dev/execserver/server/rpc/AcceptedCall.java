package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.tracing.Span;
import java.util.Optional;

/**
 * An accepted request that is to be run.
 *
 * @param request without its params
 * @param span of the request, if it is traced
 * @param heldBytes bytes that its message and its parsed values hold
 * @param ended runs when the request no longer holds any room in the gate
 */
record AcceptedCall(
        Connection connection,
        Request request,
        Method.Prepared prepared,
        AnswerMemory memory,
        Optional<Span> span,
        long heldBytes,
        Runnable ended) {

    Method.Work work() {
        return prepared.work();
    }

    /** Writes the line of the call into the access log, if it gets one, and ends its span. */
    void log(Optional<RpcException> error) {
        RequestSpans.end(span, error);
        prepared.event()
                .ifPresent(event -> connection
                        .access()
                        .write(error.map(why -> RequestEvents.failed(event, why))
                                .orElseGet(event::duration)));
    }
}
