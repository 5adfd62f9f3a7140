package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.session.Session;
import dev.execserver.server.tracing.Span;
import dev.execserver.server.tracing.Traced;
import dev.execserver.server.transport.Transport;

/** Makes the events of connections and requests for the access log. Stateless. */
final class RequestEvents {
    private RequestEvents() {}

    /** Makes the event of a request. */
    static AccessEvent of(AccessKind kind, Connection connection, Session session, Request request) {
        AccessEvent event = AccessEvent.of(kind)
                .put(AccessField.CONNECTION, connection.number())
                .session(session.id())
                .put(AccessField.METHOD, request.method());
        connection.subject().ifPresent(subject -> event.put(AccessField.USER, subject.name()));
        event.trace(Traced.current().map(Span::context).or(request::trace));
        return switch (request.id()) {
            case RequestId.Text(String id) -> event.put(AccessField.REQUEST_ID, id);
            case RequestId.Number(long id) -> event.put(AccessField.REQUEST_ID, id);
            case RequestId.Unknown() -> event;
        };
    }

    /** Adds an error to the event of a request. */
    static AccessEvent failed(AccessEvent event, RpcException error) {
        return event.put(AccessField.ERROR_CODE, error.code())
                .put(AccessField.ERROR, error.message())
                .duration()
                .warning();
    }

    /** Logs that a connection is open. Returns the work for its end, which logs that it is closed. */
    static Runnable opened(Connection connection) {
        AccessLog access = connection.access();
        if (!access.on()) {
            return () -> {};
        }
        access.write(of(AccessKind.CONNECTION_OPENED, connection));
        AccessEvent closed = of(AccessKind.CONNECTION_CLOSED, connection);
        return () -> {
            connection.session().ifPresent(session -> closed.session(session.id()));
            access.write(closed.duration().now());
        };
    }

    /** Makes an event with everything that is known about the peer. */
    private static AccessEvent of(AccessKind kind, Connection connection) {
        Transport transport = connection.transport();
        AccessEvent event = AccessEvent.of(kind).put(AccessField.CONNECTION, connection.number());
        transport.address().ifPresentOrElse(event::client, () -> event.put(AccessField.TRANSPORT, "pipe"));
        transport.proxy().ifPresent(event::peer);
        transport.subject().ifPresent(subject -> {
            event.put(AccessField.USER, subject.name());
            event.put(AccessField.ISSUER, subject.issuer());
        });
        return event;
    }
}
