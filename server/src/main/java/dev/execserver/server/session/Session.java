package dev.execserver.server.session;

import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.limits.SessionGroup;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.exec.RememberedAnswers;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.process.output.AttachmentReads;
import dev.execserver.server.session.SessionRegistry.SessionBounds;
import dev.execserver.server.transport.auth.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The processes of one client and the connection that it uses, if there is one.
 *
 * <p>A session is attached to at most one connection. When the connection is lost, the session is detached: its
 * processes run on, their output is kept, and another connection may attach until the time to live is over. Then
 * everything ends.
 *
 * <p>Reader threads attach, detach and reserve ids, request threads look up processes, the clock expires sessions and
 * forgets processes. {@code lock} guards all fields and is taken before the locks of processes.
 */
public final class Session {

    /** Delay before the session checks again if the client has received a process's end. */
    private static final Duration PUSHING = Duration.ofMillis(500);

    /** Least time that a client has to read the end of a process, even if the retention is shorter. */
    private static final Duration UNREAD = Duration.ofSeconds(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ManagedProcess> processes = new LinkedHashMap<>();
    private final Map<ManagedProcess, Timers.Planned> closed = new HashMap<>();
    private final List<ManagedProcess> overdue = new ArrayList<>();
    private final RememberedAnswers answers = new RememberedAnswers();
    private final Map<Class<?>, Runnable> atEnd = new LinkedHashMap<>();
    private final String id;
    private final SessionFacts facts;
    final Optional<Subject> owner;
    private final ProcessServices services;
    private final Timers timers;
    private final SessionBounds bounds;
    private final SessionRegistry registry;
    private final SessionLines lines;
    private final SessionQuestions questions;
    private Optional<SessionGroup> group = Optional.empty(); // from its first process on
    private Duration ttl;
    private volatile Optional<Attachment> attachment;
    private volatile AttachmentReads resume = new AttachmentReads();
    private Optional<Timers.Planned> expiry = Optional.empty();
    private long expiresAtNanos;
    private volatile boolean ended;
    /** True if only connections that look have had the session. */
    private boolean looksOnly;

    Session(String id, String clientName, Attachment first, Duration ttl, SessionRegistry registry) {
        this.id = id;
        this.facts = new SessionFacts(clientName);
        this.owner = first.subject();
        this.attachment = Optional.of(first);
        this.looksOnly = first.looksOnly();
        this.questions = new SessionQuestions(first);
        this.ttl = ttl;
        this.registry = registry;
        this.services = registry.services();
        this.timers = registry.timers();
        this.bounds = registry.bounds().within(Subject.rights(owner));
        this.lines = new SessionLines(registry.access(), id, owner);
    }

    public String id() {
        return id;
    }

    /**
     * Returns true if a client with this subject may use the session. A session that was created without a subject is
     * open to everybody, any other session only to its owner.
     */
    boolean open(Optional<Subject> subject) {
        return owner.isEmpty() || owner.equals(subject);
    }

    public Duration ttl() {
        return locked(() -> ttl);
    }

    public SessionFacts facts() {
        return facts;
    }

    /** Its questions to the clients that answer for it. */
    SessionQuestions questions() {
        return questions;
    }

    // ---- processes

    /**
     * Reserves the id of a process that is about to start. From now on other requests find the process.
     *
     * @throws RpcException -32600 when the id is taken or the session has ended; -32603 with {@code data.reason}
     * {@code "tooManyProcesses"} at the limit, {@code "shuttingDown"} while the server stops
     */
    public ManagedProcess reserve(StartParams params) {
        lock.lock();
        try {
            if (ended) {
                throw SessionRegistry.unknown(id);
            }
            registry.refuseWhenStopping();
            if (processes.containsKey(params.processId())) {
                throw RpcException.invalidRequest("process " + params.processId() + " already exists");
            }
            if (processes.size() >= bounds.maxProcesses()) {
                throw RpcException.internal("the session has " + processes.size()
                                + " processes, ended ones included, and takes no more; see --max-processes")
                        .withData("reason", "tooManyProcesses")
                        .withData("limit", bounds.maxProcesses());
            }
            SessionGroup within =
                    group.orElseGet(() -> services.spawning().groups().session());
            group = Optional.of(within);
            ManagedProcess process = new ManagedProcess(
                    params, services, this::forgetLater, questions, answers, lines.of(params.processId()), within);
            lines.watch(process);
            processes.put(params.processId(), process);
            return process;
        } finally {
            lock.unlock();
        }
    }

    public Optional<ManagedProcess> find(String processId) {
        return locked(() -> Optional.ofNullable(processes.get(processId)));
    }

    public Collection<ManagedProcess> processes() {
        return locked(() -> List.copyOf(processes.values()));
    }

    /** Frees the id of a process whose start has failed, or whose end its client has received. */
    public void forget(ManagedProcess process) {
        lock.lock();
        try {
            processes.remove(process.processId(), process);
            Optional.ofNullable(closed.remove(process)).ifPresent(Timers.Planned::cancel);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a process if it runs, and forgets it now, because its owner has read all that it wants. */
    public void drop(ManagedProcess process) {
        forget(process);
        process.end().finish();
    }

    private void forgetLater(ManagedProcess process) {
        long unreadUntil = System.nanoTime() + UNREAD.toNanos();
        lock.lock();
        try {
            if (!ended && processes.get(process.processId()) == process) {
                forgetAfter(bounds.processRetention(), process, unreadUntil);
            }
        } finally {
            lock.unlock();
        }
    }

    private void forgetAfter(Duration time, ManagedProcess process, long unreadUntil) {
        closed.put(process, timers.after(time, "retention", () -> forgetWhenTold(process, unreadUntil)));
    }

    /**
     * Called when the retention of a closed process is over. If no client is attached, the process waits for one. If
     * the client has not received the end yet, because it reads slowly or the retention is short, this method runs
     * again later.
     */
    private void forgetWhenTold(ManagedProcess process, long unreadUntil) {
        lock.lock();
        try {
            closed.remove(process);
            if (!ended && attachment.isEmpty()) {
                overdue.add(process);
                return;
            }
            boolean mayRead =
                    System.nanoTime() - unreadUntil < 0 && process.client().unread();
            if (!ended && (mayRead || process.client().pushesStill())) {
                forgetAfter(PUSHING, process, unreadUntil);
                return;
            }
            processes.remove(process.processId(), process);
        } finally {
            lock.unlock();
        }
        process.end().release();
    }

    /** Begins to push events of a process, whose start was answered, to the attached connection. */
    public void startPushing(ManagedProcess process) {
        lock.lock();
        try {
            attachment.ifPresent(connection -> process.client().attach(connection.outbound()));
        } finally {
            lock.unlock();
        }
        process.client().push();
    }

    // ---- connections

    /**
     * Returns true if this connection is attached. Takes no lock: readers of output call it with that of an output log.
     */
    public boolean attachedTo(Attachment connection) {
        return attachment.filter(current -> current == connection).isPresent();
    }

    /**
     * Records that the attached client has sent a {@code process/read}, so that it does not only wait for pushed
     * events.
     */
    public void readAsked() {
        resume.readAsked();
    }

    public Optional<Attachment> attachment() {
        return locked(() -> attachment);
    }

    /**
     * Attaches a new connection if {@code expected} is still the attached one. Returns false if another connection was
     * faster.
     *
     * @throws RpcException -32600 when the session has ended or its time to live is over, or the connection looks only and one that
     *     may do more has had the session
     */
    boolean attach(Attachment connection, Optional<Attachment> expected, Optional<Duration> newTtl) {
        lock.lock();
        try {
            if (ended || (attachment.isEmpty() && System.nanoTime() - expiresAtNanos >= 0)) {
                throw SessionRegistry.unknown(id);
            }
            if (connection.looksOnly() && !looksOnly) {
                throw SessionRegistry.looksOnly();
            }
            if (!attachment.equals(expected)) {
                return false;
            }
            looksOnly = connection.looksOnly();
            expiry.ifPresent(Timers.Planned::cancel);
            expiry = Optional.empty();
            attachment = Optional.of(connection);
            facts.changed();
            newTtl.ifPresent(wanted -> ttl = wanted);
            resume = new AttachmentReads();
            processes.values().forEach(process -> process.client().resume(connection.outbound(), resume));
            overdue.forEach(this::forgetLater);
            overdue.clear();
            questions.attached(connection);
        } finally {
            lock.unlock();
        }
        expected.ifPresent(Attachment::displaced);
        return true;
    }

    /** Detaches the session if this connection was the attached one. The time to live begins. */
    public void connectionLost(Attachment connection) {
        boolean over;
        lock.lock();
        try {
            if (ended || attachment.filter(current -> current == connection).isEmpty()) {
                return;
            }
            attachment = Optional.empty();
            questions.detached();
            facts.changed();
            processes.values().forEach(process -> process.client().detach());
            over = ttl.isZero() && !registry.stopping();
            if (!over) {
                expiresAtNanos = System.nanoTime() + ttl.toNanos();
                expiry = Optional.of(timers.after(ttl, "expiry", this::expire));
            }
        } finally {
            lock.unlock();
        }
        if (over) {
            end(SessionEnd.CONNECTION_LOST);
        }
    }

    private void expire() {
        lock.lock();
        try {
            if (attachment.isPresent() || System.nanoTime() - expiresAtNanos < 0) {
                return; // attached again just now, or attached and lost again
            }
        } finally {
            lock.unlock();
        }
        end(SessionEnd.EXPIRED);
    }

    // ---- end

    /**
     * Ends every process: SIGTERM, {@code grace}, SIGKILL. Waits a limited time until the attached client has received
     * the ends.
     */
    void endProcesses(Duration grace) {
        Threads.virtualAll("shutdown", processes(), process -> process.end().shutDown(grace));
        attachment().ifPresent(Attachment::awaitLastAnswers);
    }

    /** Ends the session: kills every process and drops its output. Returns when all processes are dead. */
    void end(SessionEnd why) {
        end(why, process -> process.end().discard());
    }

    /**
     * Ends the session as {@link #end(SessionEnd)} does, for a client that is done. Children of processes that have closed are
     * left alone.
     */
    public void finish() {
        end(SessionEnd.CLIENT, process -> process.end().finish());
    }

    /** Returns true if the session has ended. Takes no lock, as {@link #attachedTo}. */
    public boolean ended() {
        return ended;
    }

    /** Registers work for the end of the session, once for each owner. Runs it at once if the session has ended. */
    public void whenEnded(Class<?> owner, Runnable work) {
        boolean over = locked(() -> {
            if (!ended) {
                atEnd.putIfAbsent(owner, work);
            }
            return ended;
        });
        if (over) {
            work.run();
        }
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private void end(SessionEnd why, Consumer<ManagedProcess> how) {
        List<ManagedProcess> last;
        lock.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            expiry.ifPresent(Timers.Planned::cancel);
            last = new ArrayList<>(processes.values());
            processes.clear();
            overdue.clear();
            closed.values().forEach(Timers.Planned::cancel);
            closed.clear();
            questions.end();
        } finally {
            lock.unlock();
        }
        registry.forget(this);
        lines.ended(why);
        atEnd.values().forEach(Runnable::run);
        Threads.virtualAll("discard", last, how);
        locked(() -> group).ifPresent(made -> services.files().release(made::close));
    }
}
