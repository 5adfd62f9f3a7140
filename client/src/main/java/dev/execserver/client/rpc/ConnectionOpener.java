package dev.execserver.client.rpc;

import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.RequestTimeoutException;
import dev.execserver.client.error.UnexpectedAnswerException;
import dev.execserver.client.transport.ClientTransport;
import dev.execserver.client.transport.Connector;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.session.InitializeParams;
import dev.execserver.protocol.session.SessionMethodNames;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Makes connections that are ready for calls: opens a transport and does the handshake. Stateless. */
final class ConnectionOpener {

    /** @param greeting the server's answer in the handshake */
    record OpenConnection(Connection connection, InitializeAnswer greeting) {}

    /** Text that servers sent before there was a code for it. */
    private static final String ALREADY_ATTACHED = "already attached";

    private final Connector connector;
    private final LinkOptions options;

    ConnectionOpener(Connector connector, LinkOptions options) {
        this.connector = connector;
        this.options = options;
    }

    boolean reconnectable() {
        return connector.reconnectable();
    }

    /**
     * Makes one attempt.
     *
     * @param limit for the whole attempt
     * @throws SessionBusyException when another connection holds the session
     * @throws RequestFailedException when the server refuses for another reason
     * @throws RequestTimeoutException when the server does not answer
     * @throws IOException when the server cannot be reached
     */
    OpenConnection dial(Optional<String> resumeSessionId, boolean takeover, Duration limit, Connection.Owner owner)
            throws IOException, InterruptedException {
        ClientTransport transport = connector.open(shorter(options.connectTimeout(), limit));
        Connection connection = new Connection(transport, owner);
        connection.start(options.pingInterval());
        boolean greeted = false;
        try {
            InitializeAnswer greeting = greet(connection, resumeSessionId, takeover, limit);
            greeted = true;
            return new OpenConnection(connection, greeting);
        } finally {
            if (!greeted) {
                connection.end("handshake failed");
            }
        }
    }

    private InitializeAnswer greet(
            Connection connection, Optional<String> resumeSessionId, boolean takeover, Duration limit)
            throws IOException, InterruptedException {
        OptionalLong ttlMs =
                options.sessionTtl().map(ttl -> OptionalLong.of(ttl.toMillis())).orElse(OptionalLong.empty());
        InitializeParams params =
                new InitializeParams(options.clientName(), resumeSessionId, takeover, ttlMs, options.sessionName());
        Call initialize = new Call(SessionMethodNames.INITIALIZE, params, AfterLoss.FAIL);
        if (!connection.submit(initialize)) {
            throw new IOException("connection lost before the handshake");
        }
        try {
            InitializeAnswer greeting =
                    InitializeAnswer.read(initialize.await(Optional.of(shorter(options.initializeTimeout(), limit))));
            connection.notify(SessionMethodNames.INITIALIZED, JsonWritable.EMPTY_OBJECT);
            return greeting;
        } catch (RequestFailedException e) {
            if (e.code() == ErrorCodes.ALREADY_ATTACHED || e.serverMessage().contains(ALREADY_ATTACHED)) {
                throw new SessionBusyException(e);
            }
            throw e;
        } catch (RpcException e) {
            UnexpectedAnswerException fault = new UnexpectedAnswerException(SessionMethodNames.INITIALIZE, e);
            throw new IOException(fault.getMessage(), fault);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
