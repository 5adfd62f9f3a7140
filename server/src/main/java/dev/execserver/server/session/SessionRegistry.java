package dev.execserver.server.session;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All sessions of the server. Any thread; the map is the lock. */
public final class SessionRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(SessionRegistry.class);

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final ProcessServices services;
    private final Timers timers;
    private final SessionBounds bounds;
    private volatile boolean stopping;

    /**
     * What sessions may cost.
     *
     * @param maxSessions sessions of the server
     * @param maxProcesses processes of one session, ended ones that are still readable included
     * @param processRetention how long a closed process stays readable
     */
    public record SessionBounds(int maxSessions, int maxProcesses, Duration processRetention) {}

    public SessionRegistry(ProcessServices services, Timers timers, SessionBounds bounds) {
        this.services = services;
        this.timers = timers;
        this.bounds = bounds;
    }

    /**
     * Makes a session with an id that cannot be guessed.
     *
     * @throws RpcException -32603 with {@code data.reason = "tooManySessions"} at the limit
     */
    public Session create(String clientName) {
        if (stopping) {
            throw RpcException.internal("the server is shutting down").withData("reason", "shuttingDown");
        }
        if (sessions.size() >= bounds.maxSessions()) {
            throw RpcException.internal(
                            "the server has " + sessions.size() + " sessions and takes no more; see --max-sessions")
                    .withData("reason", "tooManySessions")
                    .withData("limit", bounds.maxSessions());
        }
        String id = UUID.randomUUID().toString();
        Session session = new Session(id, services, timers, bounds, this);
        sessions.put(id, session);
        // Whoever knows the whole id can take the session over: logs show its beginning only.
        LOG.info("session {}... for client {}", id.substring(0, 8), clientName);
        return session;
    }

    /** Sessions end with their connection, so there is none to resume. */
    public Session resume(String id) {
        throw RpcException.invalidRequest("unknown session id " + id);
    }

    void forget(Session session) {
        sessions.remove(session.id());
    }

    /** From now on the loss of a connection does not end its session: {@link #stop} will, after the grace. */
    public void prepareStop() {
        stopping = true;
    }

    public boolean stopping() {
        return stopping;
    }

    /** Ends every session and every process: SIGTERM, {@code grace}, SIGKILL. Returns when all are dead. */
    public void stop(Duration grace) {
        stopping = true;
        Threads.virtualAll("stop", List.copyOf(sessions.values()), session -> {
            session.terminateAll(grace);
            session.end();
        });
    }

    void connectionLost(Session session) {
        if (!stopping) {
            session.end();
        }
    }
}
