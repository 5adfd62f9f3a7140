package dev.execserver.server.session;

import dev.execserver.protocol.process.AllowApproverResult;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.transport.auth.Subject;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All sessions of the server: creates, resumes and ends them. Reader threads enter, and the thread that stops the
 * server. The map is concurrent; the lock {@code creating} makes counting and adding one step.
 */
public final class SessionRegistry {

    /**
     * Time within which an attached connection must give a sign of life when another connection asks for its session.
     */
    static final Duration PROOF_OF_LIFE = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(SessionRegistry.class);

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final ReentrantLock creating = new ReentrantLock();
    private final ApproverRights approvers = new ApproverRights();
    private final ProcessServices services;
    private final Timers timers;
    private final SessionBounds bounds;
    private final AccessLog access;
    private volatile boolean stopping;
    private volatile boolean draining;

    /**
     * The limits of sessions.
     *
     * @param maxSessions sessions of the server, detached ones included
     * @param maxProcesses processes of one session, ended ones that are still readable included
     * @param processRetention time that a closed process stays readable
     * @param ttl time that a session outlives its connection unless the client asks for another one
     * @param maxTtl the longest time that a client may ask for
     */
    public record SessionBounds(
            int maxSessions, int maxProcesses, Duration processRetention, Duration ttl, Duration maxTtl) {
        /** Returns the bounds of a session of this client. */
        SessionBounds within(Rights rights) {
            return new SessionBounds(maxSessions, rights.maxProcesses(maxProcesses), processRetention, ttl, maxTtl);
        }
    }

    public SessionRegistry(ProcessServices services, Timers timers, SessionBounds bounds, AccessLog access) {
        this.access = access;
        this.services = services;
        this.timers = timers;
        this.bounds = bounds;
    }

    /** The rights to answer for sessions that one does not have. */
    public ApproverRights approvers() {
        return approvers;
    }

    ProcessServices services() {
        return services;
    }

    Timers timers() {
        return timers;
    }

    AccessLog access() {
        return access;
    }

    SessionBounds bounds() {
        return bounds;
    }

    /**
     * Creates a session with an id that cannot be guessed.
     *
     * @param wantedTtl the time to live that the client asks for; cut to the server's maximum
     * @throws RpcException -32603 with {@code data.reason} {@code "tooManySessions"} or {@code "shuttingDown"}
     */
    public Session create(String clientName, Attachment connection, Optional<Duration> wantedTtl) {
        refuseWhenStopping();
        if (draining) {
            throw RpcException.internal("the server takes no new sessions, because it is about to stop")
                    .withData("reason", "shuttingDown");
        }
        String id = UUID.randomUUID().toString();
        Session session =
                new Session(id, clientName, connection, allowed(wantedTtl).orElse(bounds.ttl()), this);
        add(session);
        // The whole id gives access to the session, so logs show only its beginning.
        LOG.info("session {}... for client {}", id.substring(0, 8), clientName);
        return session;
    }

    private void add(Session session) {
        creating.lock();
        try {
            if (sessions.size() >= bounds.maxSessions()) {
                throw RpcException.internal(
                                "the server has " + sessions.size() + " sessions and takes no more; see --max-sessions")
                        .withData("reason", "tooManySessions")
                        .withData("limit", bounds.maxSessions());
            }
            requireRoom(session.owner);
            sessions.put(session.id(), session);
        } finally {
            creating.unlock();
        }
    }

    private void requireRoom(Optional<Subject> owner) {
        OptionalInt limit = Subject.rights(owner).maxSessions();
        if (limit.isPresent()
                && sessions.values().stream()
                                .filter(session -> session.owner.equals(owner))
                                .count()
                        >= limit.getAsInt()) {
            throw RpcException.internal("the client " + owner.orElseThrow().name() + " has " + limit.getAsInt()
                            + " sessions and gets no more")
                    .withData("reason", "tooManySessions")
                    .withData("limit", limit.getAsInt());
        }
    }

    /**
     * Attaches a connection to an existing session. If another connection is attached, it must give a sign of life
     * within {@link #PROOF_OF_LIFE} or it loses the session. With {@code takeover} it loses the session in any case.
     * May wait for {@link #PROOF_OF_LIFE}.
     *
     * @throws RpcException -32600 if the id is unknown, has ended or belongs to another subject, or the connection looks only and the
     * session is that of one that does more; -32010 if the other connection is alive
     */
    public Session resume(String id, Attachment connection, boolean takeover, Optional<Duration> wantedTtl) {
        Session session = find(id, connection.subject()).orElseThrow(() -> unknown(id));
        Optional<Attachment> current = session.attachment();
        if (current.isPresent() && !takeover && current.get().provesAlive(PROOF_OF_LIFE)) {
            throw attached(id);
        }
        if (!session.attach(connection, current, allowed(wantedTtl))) {
            // The old connection ended meanwhile or a third one was faster: one more attempt decides.
            Optional<Attachment> now = session.attachment();
            if ((now.isPresent() && !takeover) || !session.attach(connection, now, allowed(wantedTtl))) {
                throw attached(id);
            }
        }
        LOG.info("session {}... was resumed", id.substring(0, Math.min(8, id.length())));
        return session;
    }

    /**
     * Returns the session with this id, attached or not, unless it has ended. Returns empty for a session of another
     * subject, so that its id tells such a client nothing.
     */
    public Optional<Session> find(String id, Optional<Subject> subject) {
        return Optional.ofNullable(sessions.get(id)).filter(session -> session.open(subject));
    }

    private Optional<Duration> allowed(Optional<Duration> wanted) {
        return wanted.map(ttl -> ttl.compareTo(bounds.maxTtl()) > 0 ? bounds.maxTtl() : ttl);
    }

    /** Returns the refusal of an id that names no session, or one of another principal. */
    public static RpcException unknown(String id) {
        return RpcException.invalidRequest("unknown session id " + id);
    }

    /** Returns the refusal of a connection that may do less than the session lets it do. */
    static RpcException looksOnly() {
        return RpcException.invalidRequest(
                        "a connection that looks only may not resume the session of one that does more")
                .withData("reason", Rights.NOT_ALLOWED);
    }

    private static RpcException attached(String id) {
        return RpcException.of(
                ErrorCodes.ALREADY_ATTACHED, "session " + id + " is already attached to another connection");
    }

    void forget(Session session) {
        sessions.remove(session.id());
    }

    /**
     * Refuses a new session or process while the server stops.
     *
     * @throws RpcException -32603 with {@code data.reason = "shuttingDown"}
     */
    void refuseWhenStopping() {
        if (stopping) {
            throw RpcException.internal("the server is shutting down").withData("reason", "shuttingDown");
        }
    }

    /**
     * Returns the sessions of a principal, the oldest first: those that a connection with this subject has begun, or, without a subject,
     * those that were begun without one. Sessions whose id nobody learns are left out.
     */
    public List<Session> of(Optional<Subject> subject) {
        return sessions.values().stream()
                .filter(session ->
                        session.owner.equals(subject) && session.facts().listed())
                .sorted(Comparator.comparing(session -> session.facts().startedAt()))
                .toList();
    }

    /** Returns the state of all sessions. */
    public List<SessionView> views() {
        return sessions.values().stream().map(SessionView::of).toList();
    }

    /**
     * Ends a session, with its processes, on behalf of the operator.
     *
     * @param idOrBegin id, or the begin of one id only
     * @return false if no session, or more than one, begins so
     */
    public boolean end(String idOrBegin) {
        Optional<Session> found = only(idOrBegin);
        found.ifPresent(session -> session.end(SessionEnd.OPERATOR));
        return found.isPresent();
    }

    /**
     * Makes a right to answer for a session, for a connection of any principal, on behalf of the operator.
     *
     * @param idOrBegin as in {@link #end}
     * @return empty if no session, or more than one, begins so
     * @throws RpcException as {@link ApproverRights#allow}
     */
    public Optional<AllowApproverResult> allowApprover(String idOrBegin) {
        return only(idOrBegin).map(session -> approvers.allow(session, true));
    }

    /** Returns the process of a session that is named as in {@link #end}. */
    public Optional<ManagedProcess> process(String idOrBegin, String processId) {
        return only(idOrBegin).flatMap(session -> session.find(processId));
    }

    private Optional<Session> only(String begin) {
        List<Session> found = sessions.values().stream()
                .filter(session -> !begin.isEmpty() && session.id().startsWith(begin))
                .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    /** Takes no new sessions from now on. Those that exist go on. */
    public void drain() {
        draining = true;
    }

    public boolean draining() {
        return draining;
    }

    /**
     * Prepares the stop: from now on no session and no process begins, and a lost connection ends no session.
     * {@link #stop} ends the sessions after the grace.
     */
    public void prepareStop() {
        stopping = true;
    }

    public boolean stopping() {
        return stopping;
    }

    /**
     * Ends every process: SIGTERM, {@code grace}, SIGKILL. Returns when all are dead and every attached client has
     * received the last output, the exit and the close, or did not take them in time.
     */
    public void endProcesses(Duration grace) {
        stopping = true;
        Threads.virtualAll("stop", List.copyOf(sessions.values()), session -> session.endProcesses(grace));
    }

    /** Ends every session. */
    public void stop() {
        stopping = true;
        Threads.virtualAll("stop", List.copyOf(sessions.values()), session -> session.end(SessionEnd.SERVER_STOPS));
    }
}
