package dev.execserver.server.session;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All sessions of the server. Any thread; the map is the lock. */
public final class SessionRegistry implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SessionRegistry.class);

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final ProcessServices services;
    private final Timers timers;
    private final SessionBounds bounds;

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
        if (sessions.size() >= bounds.maxSessions()) {
            throw RpcException.internal(
                            "the server has " + sessions.size() + " sessions and takes no more; see --max-sessions")
                    .withData("reason", "tooManySessions")
                    .withData("limit", bounds.maxSessions());
        }
        String id = UUID.randomUUID().toString();
        Session session = new Session(id, services, timers, bounds, this::forget);
        sessions.put(id, session);
        LOG.info("session {} for client {}", id, clientName);
        return session;
    }

    /** Sessions end with their connection, so there is none to resume. */
    public Session resume(String id) {
        throw RpcException.invalidRequest("unknown session id " + id);
    }

    private void forget(Session session) {
        sessions.remove(session.id());
    }

    /** Ends every session and every process. */
    @Override
    public void close() {
        List.copyOf(sessions.values()).parallelStream().forEach(Session::end);
    }
}
