package dev.execserver.server.transport.files;

import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.transport.auth.Subject;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Optional;

/**
 * Line of one transfer in the access log. Shows the announced number of bytes, because a transfer that breaks off ends
 * the connection. Used by the connection's thread.
 */
final class TransferEvent {
    private final AccessLog log;
    private final AccessEvent event;

    private TransferEvent(AccessLog log, AccessEvent event) {
        this.log = log;
        this.event = event;
    }

    /** Begins the line of an admitted request. Empty if there is no log. */
    static Optional<TransferEvent> begin(AccessLog log, ServerRequest request, Optional<Subject> subject) {
        return begin(log, request, subject, path(request));
    }

    /** Begins the line of an admitted request for a path. */
    static Optional<TransferEvent> begin(
            AccessLog log, ServerRequest request, Optional<Subject> subject, Optional<String> path) {
        if (!log.on()) {
            return Optional.empty();
        }
        AccessEvent event = AccessEvent.of(AccessKind.FILE_TRANSFERRED)
                .put(AccessField.HTTP_METHOD, request.prologue().method().text())
                .put(AccessField.FILE_PATH, path);
        RawConnection.current().client().ifPresent(client -> client.addTo(event));
        subject.ifPresent(owner -> event.put(AccessField.USER, owner.name()));
        text(request.headers(), SandboxHeaders.SESSION).ifPresent(event::session);
        number(request.headers()).ifPresent(bytes -> event.put(AccessField.RECEIVED_BYTES, bytes));
        return Optional.of(new TransferEvent(log, event));
    }

    void ended(ServerResponse response) {
        Status status = response.status();
        event.put(AccessField.HTTP_STATUS, status.code()).duration();
        number(response.headers()).ifPresent(bytes -> event.put(AccessField.SENT_BYTES, bytes));
        if (status.code() >= Status.BAD_REQUEST_400.code()) {
            event.warning();
        }
        log.write(event);
    }

    /** Returns the path only: other parts of a query may be secrets that were sent there by mistake. */
    private static Optional<String> path(ServerRequest request) {
        try {
            return Optional.of(FileQuery.path(request.query().rawValue()).display());
        } catch (FileRefusal unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(Headers headers, HeaderName name) {
        return headers.contains(name) ? Optional.of(headers.get(name).get()) : Optional.empty();
    }

    private static Optional<Long> number(Headers headers) {
        return headers.contains(HeaderNames.CONTENT_LENGTH)
                ? Optional.of(headers.contentLength().orElse(0))
                : Optional.empty();
    }
}
