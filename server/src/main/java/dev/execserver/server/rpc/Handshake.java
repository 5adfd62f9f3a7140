package dev.execserver.server.rpc;

import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.session.InitializeParams;
import dev.execserver.protocol.session.InitializeResult;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.schema.MembersCheck;
import dev.execserver.server.session.Session;
import dev.execserver.server.session.SessionFacts;
import dev.execserver.server.session.SessionRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The handshake of a connection: {@code initialize} and {@code initialized}. Runs on reader threads; has no state of
 * its own.
 */
public final class Handshake {

    static final String INITIALIZE = "initialize";
    static final String INITIALIZED = "initialized";

    /**
     * Longest id of {@code initialize}, in characters. The answer repeats the id and must be small, as it does not wait
     * for memory.
     */
    static final int MAX_ID_CHARS = 1024;

    private final SessionRegistry sessions;
    private final EnvironmentInfo environment;
    private final Dialect dialect;
    private final List<String> features;
    private final MembersCheck members;

    /**
     * @param features names of extensions of the protocol that this server has; announced in the open dialect only
     * @param members check of the params
     */
    public Handshake(
            SessionRegistry sessions,
            EnvironmentInfo environment,
            Dialect dialect,
            List<String> features,
            MembersCheck members) {
        this.members = members;
        this.sessions = sessions;
        this.environment = environment;
        this.dialect = dialect;
        this.features = dialect.open() ? features : List.of();
    }

    Dialect dialect() {
        return dialect;
    }

    void initialize(Connection connection, Request request) {
        List<String> warnings = members.check(request.params());
        InitializeParams params = InitializeParams.read(request.params(), dialect);
        checkId(request.id());
        params.sessionName().ifPresent(SessionFacts::checkName);
        if (connection.attached()) {
            throw RpcException.invalidRequest("initialize may only be sent once per connection");
        }
        Optional<Duration> ttl = params.sessionTtlMs().isPresent()
                ? Optional.of(Duration.ofMillis(params.sessionTtlMs().getAsLong()))
                : Optional.empty();
        Session session = sessionFor(connection, params, ttl);
        connection.attach(session);
        OptionalLong granted = ttl.isPresent() ? OptionalLong.of(session.ttl().toMillis()) : OptionalLong.empty();
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.response(
                out,
                request.id(),
                new InitializeResult(session.id(), Optional.of(environment), features, granted),
                warnings);
        connection.answerAtOnce(out, AnswerMemory.none());
        connection.greeted();
    }

    private Session sessionFor(Connection connection, InitializeParams params, Optional<Duration> ttl) {
        AccessLog access = connection.access();
        AccessEvent event = AccessEvent.of(
                        params.resumeSessionId().isPresent() ? AccessKind.SESSION_RESUMED : AccessKind.SESSION_STARTED)
                .put(AccessField.CONNECTION, connection.number())
                .put(AccessField.CLIENT_NAME, params.clientName());
        params.resumeSessionId().ifPresent(event::session);
        try {
            Session session = params.resumeSessionId().isPresent()
                    ? sessions.resume(params.resumeSessionId().get(), connection, params.takeover(), ttl)
                    : sessions.create(params.clientName(), connection, ttl);
            session.facts().introduced(params.clientName(), params.sessionName());
            access.write(event.session(session.id())
                    .put(AccessField.TAKEOVER, params.takeover())
                    .put(AccessField.TTL_SECONDS, session.ttl().toSeconds()));
            return session;
        } catch (RpcException refused) {
            access.write(RequestEvents.failed(event, refused)
                    .put(AccessField.ERROR, withoutId(refused.message(), params.resumeSessionId())));
            throw refused;
        }
    }

    /** Shortens the id of a session in a message for the log: the whole id gives access to the session. */
    private static String withoutId(String message, Optional<String> sessionId) {
        return sessionId
                .filter(id -> !id.isEmpty())
                .map(id -> message.replace(id, AccessEvent.shortened(id)))
                .orElse(message);
    }

    /** @throws RpcException -32600 if the id of {@code initialize} is too long to be repeated at once */
    static void checkId(RequestId given) {
        if (given instanceof RequestId.Text(String id) && id.length() > MAX_ID_CHARS) {
            throw RpcException.invalidRequest("the id of initialize is longer than " + MAX_ID_CHARS + " characters");
        }
    }

    /**
     * Refuses every notification but {@code initialized} with an error. The connection stays open, unlike in the
     * reference server.
     */
    void notified(Connection connection, Notification notification) {
        if (!notification.method().equals(INITIALIZED)) {
            throw RpcException.invalidRequest("unexpected notification `" + notification.method() + "`");
        }
        if (!connection.attached()) {
            throw RpcException.invalidRequest("client must call initialize before sending initialized");
        }
        connection.initialized();
    }
}
