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
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.session.Session;
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

    /** @param features names of extensions of the protocol that this server has; announced in the open dialect only */
    public Handshake(SessionRegistry sessions, EnvironmentInfo environment, Dialect dialect, List<String> features) {
        this.sessions = sessions;
        this.environment = environment;
        this.dialect = dialect;
        this.features = dialect.open() ? features : List.of();
    }

    Dialect dialect() {
        return dialect;
    }

    void initialize(Connection connection, Request request) {
        InitializeParams params = InitializeParams.read(request.params(), dialect);
        if (request.id() instanceof RequestId.Text(String id) && id.length() > MAX_ID_CHARS) {
            throw RpcException.invalidRequest("the id of initialize is longer than " + MAX_ID_CHARS + " characters");
        }
        if (connection.attached()) {
            throw RpcException.invalidRequest("initialize may only be sent once per connection");
        }
        Optional<Duration> ttl = params.sessionTtlMs().isPresent()
                ? Optional.of(Duration.ofMillis(params.sessionTtlMs().getAsLong()))
                : Optional.empty();
        Session session = params.resumeSessionId().isPresent()
                ? sessions.resume(params.resumeSessionId().get(), connection, params.takeover(), ttl)
                : sessions.create(params.clientName(), connection, ttl);
        connection.attach(session);
        OptionalLong granted = ttl.isPresent() ? OptionalLong.of(session.ttl().toMillis()) : OptionalLong.empty();
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.response(
                out, request.id(), new InitializeResult(session.id(), Optional.of(environment), features, granted));
        connection.answerAtOnce(out, AnswerMemory.none());
        connection.greeted();
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
