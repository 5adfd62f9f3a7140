package dev.execserver.server.transport.mcp;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.transport.PresentedCredentials;
import dev.execserver.server.transport.auth.Admission;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.HostNames;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.files.EarlyClose;
import dev.execserver.server.transport.files.RawConnection;
import dev.execserver.server.transport.files.TransferTimeouts;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Answers requests for {@value #PATH} as the Streamable HTTP transport of MCP says. Access is checked as for a WebSocket: host, origin,
 * token. Threads of connections enter; immutable.
 */
public final class McpEndpoint {
    public static final String PATH = "/mcp";

    static final int MAX_BODY_BYTES = 4 * 1024 * 1024;

    private static final HeaderName SESSION = HeaderNames.create("Mcp-Session-Id");
    private static final HeaderName VERSION = HeaderNames.create("MCP-Protocol-Version");
    private static final HeaderName LAST_EVENT = HeaderNames.create("Last-Event-ID");
    private static final String EVENTS = "text/event-stream";
    private static final String JSON = "application/json";

    /** Time without a message after which a comment keeps the connection alive. */
    private static final Duration SILENCE = Duration.ofSeconds(15);

    /** Time between two looks if the server stops. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final McpClients clients;
    private final Authenticator authenticator;
    private final HostNames hosts;
    private final boolean refuseOrigin;
    private final Supplier<AnswerMemory> memory;

    /** @param memory pays for the message of a request until it is answered */
    public McpEndpoint(
            McpClients clients,
            Authenticator authenticator,
            HostNames hosts,
            boolean refuseOrigin,
            Supplier<AnswerMemory> memory) {
        this.memory = memory;
        this.clients = clients;
        this.authenticator = authenticator;
        this.hosts = hosts;
        this.refuseOrigin = refuseOrigin;
    }

    /** @param patience keeps the connection open while a stream is open */
    public void handle(ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        try {
            Optional<Subject> subject = admit(request, patience);
            if (!Subject.rights(subject).allows(Rights.MCP)) {
                throw refused(patience, Status.FORBIDDEN_403, "this client may not use MCP");
            }
            Optional<String> session = header(request, SESSION);
            checkVersion(request);
            Method method = request.prologue().method();
            if (method == Method.POST) {
                post(request, response, patience, subject, session);
            } else if (method == Method.GET) {
                requireAccept(request, EVENTS);
                try (EventSource events = clients.open(session, subject, header(request, LAST_EVENT))) {
                    stream(response, patience, events);
                }
            } else if (method == Method.DELETE) {
                clients.end(session, subject);
                response.status(Status.NO_CONTENT_204).send();
            } else {
                response.header(HeaderValues.create(HeaderNames.ALLOW, "GET,POST,DELETE"));
                throw new McpRefusal(405, ErrorCodes.INVALID_REQUEST, "/mcp knows GET, POST and DELETE");
            }
        } catch (McpRefusal refusal) {
            refuse(request, response, patience, refusal);
        }
    }

    // ---- access

    private Optional<Subject> admit(ServerRequest request, TransferTimeouts patience) {
        if (refuseOrigin && request.headers().contains(HeaderNames.ORIGIN)) {
            throw refused(patience, Status.FORBIDDEN_403, "requests of web pages are refused");
        }
        String host = header(request, HeaderNames.HOST).orElse("");
        hosts.refusal(RawConnection.current().authority().orElse(host))
                .or(() -> hosts.refusal(host))
                .ifPresent(why -> {
                    throw refused(patience, Status.FORBIDDEN_403, why);
                });
        return switch (authenticator.check(
                PresentedCredentials.of(request.remotePeer(), request.headers(), patience::refusedSoon))) {
            case Admission.Granted(var subject) -> subject;
            case Admission.Refused(String why) -> throw refused(patience, Status.UNAUTHORIZED_401, why);
        };
    }

    private static McpRefusal refused(TransferTimeouts patience, Status status, String why) {
        patience.refused(status, why);
        return new McpRefusal(status.code(), ErrorCodes.INVALID_REQUEST, why);
    }

    private void checkVersion(ServerRequest request) {
        header(request, VERSION).filter(version -> !clients.speaks(version)).ifPresent(version -> {
            throw new McpRefusal(400, ErrorCodes.INVALID_REQUEST, "unknown MCP-Protocol-Version " + version);
        });
    }

    private static Optional<String> header(ServerRequest request, HeaderName name) {
        return request.headers().contains(name)
                ? Optional.of(request.headers().get(name).get().strip())
                : Optional.empty();
    }

    /** A client without an Accept header takes everything (RFC 9110 section 12.5.1). */
    private static void requireAccept(ServerRequest request, String type) {
        String accepted = request.headers().contains(HeaderNames.ACCEPT)
                ? String.join(",", request.headers().get(HeaderNames.ACCEPT).allValues())
                : "*/*";
        if (!accepted.contains(type) && !accepted.contains("*/*")) {
            throw new McpRefusal(406, ErrorCodes.INVALID_REQUEST, "the client must accept " + type);
        }
    }

    // ---- messages

    private void post(
            ServerRequest request,
            ServerResponse response,
            TransferTimeouts patience,
            Optional<Subject> subject,
            Optional<String> session) {
        requireAccept(request, JSON);
        requireAccept(request, EVENTS);
        AnswerMemory paid = memory.get();
        try {
            answer(response, patience, clients.post(session, subject, body(request, paid)));
        } finally {
            paid.release();
        }
    }

    private void answer(ServerResponse response, TransferTimeouts patience, McpClients.Reply reply) {
        reply.session().ifPresent(id -> response.header(HeaderValues.create(SESSION, id)));
        if (reply.events().isEmpty()) {
            response.status(Status.ACCEPTED_202).send();
            return;
        }
        try (EventSource events = reply.events().get()) {
            Optional<MessageBuffer> single = events.single();
            if (single.isPresent()) {
                response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, JSON));
                response.send(single.get().toByteArray());
            } else {
                stream(response, patience, events);
            }
        }
    }

    private static byte[] body(ServerRequest request, AnswerMemory paid) {
        String type = header(request, HeaderNames.CONTENT_TYPE).orElse("");
        if (!type.startsWith(JSON)) {
            throw new McpRefusal(415, ErrorCodes.INVALID_REQUEST, "the content must be " + JSON);
        }
        if (request.headers().contentLength().orElse(0) > MAX_BODY_BYTES) {
            throw tooLarge();
        }
        byte[] body;
        try {
            paid.reserve(request.headers().contentLength().orElse(MAX_BODY_BYTES));
            body = request.content().inputStream().readNBytes(MAX_BODY_BYTES + 1);
        } catch (RpcException e) {
            throw new McpRefusal(503, e.code(), e.message());
        } catch (IOException e) {
            throw new CloseConnectionException("the message did not come whole", e);
        }
        if (body.length > MAX_BODY_BYTES) {
            throw tooLarge();
        }
        paid.keepOnly(body.length);
        return body;
    }

    private static McpRefusal tooLarge() {
        return new McpRefusal(413, ErrorCodes.INVALID_REQUEST, "a message has at most " + MAX_BODY_BYTES + " bytes");
    }

    /** Writes events until there are no more, the client has gone or the server stops. */
    private void stream(ServerResponse response, TransferTimeouts patience, EventSource events) {
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, EVENTS));
        response.header(HeaderValues.create(HeaderNames.CACHE_CONTROL, "no-store"));
        try {
            OutputStream out = response.outputStream();
            out.write(": stream\n\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            long spoken = System.nanoTime();
            while (!events.over() && !clients.stopping()) {
                patience.allow(SILENCE.multipliedBy(2));
                Optional<EventSource.Event> event = events.next(LOOK);
                if (event.isPresent()) {
                    write(out, event.get());
                    spoken = System.nanoTime();
                } else if (System.nanoTime() - spoken > SILENCE.toNanos()) {
                    out.write(": waiting\n\n".getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    spoken = System.nanoTime();
                }
            }
            out.close();
            patience.progress();
        } catch (IOException e) {
            throw new CloseConnectionException("the client has gone", e);
        } catch (InterruptedException e) {
            throw new CloseConnectionException("the server is shutting down", e);
        }
    }

    private static void write(OutputStream out, EventSource.Event event) throws IOException {
        out.write(("id: " + event.id() + "\nevent: message\ndata: ").getBytes(StandardCharsets.US_ASCII));
        MessageBuffer message = event.message();
        out.write(message.array(), message.offset(), message.length());
        out.write("\n\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static void refuse(
            ServerRequest request, ServerResponse response, TransferTimeouts patience, McpRefusal refusal) {
        MessageBuffer out = new MessageBuffer();
        out.ascii("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":");
        out.number(refusal.code());
        out.ascii(",\"message\":");
        out.string(refusal.getMessage());
        out.ascii("}}");
        boolean unread = request.content().hasEntity() && !request.content().consumed();
        response.status(Status.create(refusal.status()));
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, JSON));
        if (refusal.status() == Status.UNAUTHORIZED_401.code()) {
            response.header(HeaderValues.create(HeaderNames.WWW_AUTHENTICATE, "Bearer"));
        }
        if (unread) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        response.send(out.toByteArray());
        if (unread) {
            EarlyClose.leave(request, patience);
        }
    }
}
