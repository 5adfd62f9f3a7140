package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.files.RawConnection;
import io.helidon.http.DirectHandler;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import java.nio.charset.StandardCharsets;

/** Makes answers to refused requests: plain text or nothing, never HTML. */
final class HttpRefusal {
    /** Text that Helidon sends instead of a message that repeats the request. */
    private static final String HIDDEN = "Bad request, see server log for more information";

    /** Reason for requests of web pages. It goes to the log and not to the page. */
    static final String ORIGIN = "it has an Origin header";

    private static final String MALFORMED = "malformed HTTP request";

    private HttpRefusal() {}

    static RequestException of(Status status, String text) {
        return builder(status, text).build();
    }

    /** Makes the refusal of a wrong version; it names the right one (RFC 6455 section 4.4). */
    static RequestException wrongVersion() {
        return builder(Status.UPGRADE_REQUIRED_426, "Sec-WebSocket-Version must be 13")
                .header(HeaderValues.create("Sec-WebSocket-Version", "13"))
                .build();
    }

    private static RequestException.Builder builder(Status status, String text) {
        return RequestException.builder()
                .type(EventType.OTHER)
                .status(status)
                .setKeepAlive(false)
                .message(text);
    }

    /** @param log gets each refusal */
    static DirectHandlers handlers(RefusalLog log) {
        DirectHandlers.Builder builder = DirectHandlers.builder();
        for (EventType type : EventType.values()) {
            builder.addHandler(type, (request, kind, status, headers, message) -> {
                String text = message == null || message.equals(HIDDEN) ? MALFORMED : message;
                RawConnection connection = RawConnection.current();
                log.refused(SocketHelpers.client(connection), connection.requestLine(), status, text);
                return plainText(kind, status, headers, text.equals(ORIGIN) ? "" : text);
            });
        }
        return builder.build();
    }

    private static DirectHandler.TransportResponse plainText(
            EventType type, Status status, ServerResponseHeaders headers, String message) {
        DirectHandler.TransportResponse.Builder response = DirectHandler.TransportResponse.builder()
                .status(status)
                .headers(headers)
                .keepAlive(false);
        if (!message.isEmpty() && type != EventType.INTERNAL_ERROR) {
            headers.set(HeaderValues.create(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8"));
            response.entity(message.getBytes(StandardCharsets.UTF_8));
        }
        return response.build();
    }
}
