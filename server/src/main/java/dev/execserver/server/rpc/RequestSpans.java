package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.tracing.Span;
import dev.execserver.server.tracing.Traced;
import java.util.Optional;
import java.util.function.Supplier;

/** Begins and ends the spans of requests. Stateless. */
final class RequestSpans {
    private RequestSpans() {}

    /** Begins the span of a request, in the trace of its envelope, or else of its connection. */
    static Optional<Span> begin(Connection connection, Request request) {
        Optional<Span> span = connection
                .access()
                .tracing()
                .begin(request.method(), request.trace().or(connection.transport()::trace));
        span.ifPresent(begun -> {
            begun.put("rpc.system.name", "jsonrpc")
                    .put("rpc.method", request.method())
                    .put("execserver.connection.id", connection.number());
            connection.session().ifPresent(session -> begun.put("session.id", AccessEvent.shortened(session.id())));
            connection.subject().ifPresent(subject -> begun.put("user.id", subject.name()));
        });
        return span;
    }

    /** Does the first step of a request. If it fails, the span ends. */
    static <T> T within(Optional<Span> span, Supplier<T> step) {
        try {
            return Traced.call(span, step::get);
        } catch (RpcException e) {
            end(span, Optional.of(e));
            throw e;
        }
    }

    static void end(Optional<Span> span, Optional<RpcException> error) {
        span.ifPresent(open -> {
            error.ifPresent(
                    why -> open.put("rpc.response.status_code", why.code()).failed(String.valueOf(why.message())));
            open.end();
        });
    }
}
