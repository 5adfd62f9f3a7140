package dev.execserver.server.mcp.http;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.JsonRpcMessage;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.mcp.ClientAccess;
import dev.execserver.server.mcp.ClientTraits;
import dev.execserver.server.mcp.Incoming;
import dev.execserver.server.mcp.McpConnection;
import dev.execserver.server.mcp.ProtocolVersions;
import dev.execserver.server.mcp.Toolbox;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.mcp.EventSource;
import dev.execserver.server.transport.mcp.McpClients;
import dev.execserver.server.transport.mcp.McpRefusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/** The sessions of MCP clients over HTTP. Threads of connections enter. */
public final class HttpSessions implements McpClients {
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    private final Map<String, HttpSession> sessions = new ConcurrentHashMap<>();
    private final BiFunction<ClientTraits, ClientAccess, Toolbox> tools;
    private final Timers timers;
    private final Duration ttl;
    private final BooleanSupplier stopping;
    private final KeptMessages share = new KeptMessages(KeptMessages.MAX_BYTES);

    /**
     * @param tools makes the tools of a client
     * @param ttl time that a session outlives its last request
     */
    public HttpSessions(
            BiFunction<ClientTraits, ClientAccess, Toolbox> tools,
            Timers timers,
            Duration ttl,
            BooleanSupplier stopping) {
        this.tools = tools;
        this.timers = timers;
        this.ttl = ttl;
        this.stopping = stopping;
        share.whenShort(_ -> sessions.values().forEach(HttpSession::forgetRead));
    }

    @Override
    public Reply post(Optional<String> session, Optional<Subject> subject, byte[] body) {
        List<JsonRpcMessage> messages = read(body);
        boolean begins = messages.stream()
                .anyMatch(message ->
                        message instanceof Request request && request.method().equals("initialize"));
        if (!begins || session.isPresent()) {
            return new Reply(
                    Optional.empty(), find(session, subject).take(messages).map(reader -> reader));
        }
        HttpSession begun = begin(subject);
        Optional<EventSource> events = begun.take(messages).map(reader -> reader);
        if (!begun.initialized()) {
            forget(begun);
            return new Reply(Optional.empty(), events);
        }
        return new Reply(Optional.of(begun.id()), events);
    }

    private static List<JsonRpcMessage> read(byte[] body) {
        try {
            return Incoming.read(body);
        } catch (RpcException e) {
            throw new McpRefusal(BAD_REQUEST, e.code(), e.message());
        }
    }

    private HttpSession begin(Optional<Subject> subject) {
        String id = UUID.randomUUID().toString();
        KeptMessages own = share.part(KeptMessages.MAX_BYTES_OF_ONE);
        EventStream general = new EventStream(0, own, 0, true);
        McpConnection connection = new McpConnection(tools, general, subject);
        HttpSession session =
                new HttpSession(id, subject, connection, general, own, timers, ttl, () -> forget(sessions.get(id)));
        own.whenShort(session::makeRoom);
        sessions.put(id, session);
        return session;
    }

    private void forget(HttpSession session) {
        if (session != null && sessions.remove(session.id(), session)) {
            session.end();
        }
    }

    private HttpSession find(Optional<String> session, Optional<Subject> subject) {
        if (session.isEmpty()) {
            throw new McpRefusal(
                    BAD_REQUEST, ErrorCodes.INVALID_REQUEST, "the request needs the header Mcp-Session-Id");
        }
        return session.map(sessions::get)
                .filter(found -> found.open(subject))
                .orElseThrow(() -> new McpRefusal(NOT_FOUND, ErrorCodes.INVALID_REQUEST, "unknown session"));
    }

    @Override
    public EventSource open(Optional<String> session, Optional<Subject> subject, Optional<String> lastEventId) {
        return find(session, subject).resume(lastEventId);
    }

    @Override
    public void end(Optional<String> session, Optional<Subject> subject) {
        forget(find(session, subject));
    }

    @Override
    public boolean speaks(String version) {
        return ProtocolVersions.known(version);
    }

    @Override
    public boolean stopping() {
        return stopping.getAsBoolean();
    }
}
