package dev.execserver.server.rpc;

import dev.execserver.protocol.app.AppInitializeParams;
import dev.execserver.protocol.app.AppInitializeResult;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.schema.MembersCheck;
import dev.execserver.server.session.SessionRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The handshake of the app-server dialect: an {@code initialize} with {@code clientInfo}. The connection gets a session
 * that nobody can resume and that ends with it, so that its commands end too. Runs on reader threads; has no state of
 * its own.
 */
public final class AppHandshake {

    private final SessionRegistry sessions;
    private final AppInitializeResult server;
    private final MembersCheck members;

    /**
     * @param server the answer, but with the server's name alone as its user agent
     * @param members check of the params
     */
    public AppHandshake(SessionRegistry sessions, AppInitializeResult server, MembersCheck members) {
        this.members = members;
        this.sessions = sessions;
        this.server = server;
    }

    /** Returns true if this {@code initialize} belongs to the app-server dialect. */
    static boolean concerns(Connection connection, Request request) {
        return connection.appClient().isPresent()
                || (!connection.attached() && AppInitializeParams.begin(request.params()));
    }

    void initialize(Connection connection, Request request) {
        if (connection.attached()) {
            throw RpcException.invalidRequest("Already initialized");
        }
        List<String> warnings = members.check(request.params());
        AppInitializeParams params = read(request);
        Handshake.checkId(request.id());
        AppClient client = new AppClient(params.experimentalApi(), Set.copyOf(params.optOutNotificationMethods()));
        connection.attachApp(client, sessions.create(params.clientName(), connection, Optional.of(Duration.ZERO)));
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.response(out, request.id(), answer(params), warnings);
        connection.answerAtOnce(out, AnswerMemory.none());
        connection.greeted();
    }

    private static AppInitializeParams read(Request request) {
        try {
            return AppInitializeParams.read(request.params());
        } catch (RpcException e) {
            throw AppErrors.shape(e);
        }
    }

    private AppInitializeResult answer(AppInitializeParams client) {
        String agent = server.userAgent() + " (" + shortened(client.clientName()) + "; "
                + shortened(client.clientVersion()) + ")";
        return new AppInitializeResult(agent, server.codexHome(), server.methods());
    }

    /** Keeps the answer small, because it does not wait for memory. */
    private static String shortened(String text) {
        return text.substring(0, Math.min(text.length(), Handshake.MAX_ID_CHARS));
    }
}
