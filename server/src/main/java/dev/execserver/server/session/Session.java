package dev.execserver.server.session;

import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.process.Resume;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The processes of one client, and the connection that they talk to, if there is one.
 *
 * <p>Attached to one connection at a time. When that is lost the session is detached: its processes go on, their output is
 * kept, and another connection may attach until the time to live is over; then everything ends.
 *
 * <p>Reader threads attach, detach and reserve ids, request threads look processes up, the clock expires and forgets.
 * {@code lock} guards all fields and is taken before the locks of processes.
 */
public final class Session {

    /** When the session looks again whether a process has told its end. */
    private static final Duration PUSHING = Duration.ofMillis(500);

    /** A client has so much time to read the end of a process, however short the retention is. */
    private static final Duration UNREAD = Duration.ofSeconds(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition attached = lock.newCondition();
    private final Map<String, ManagedProcess> processes = new LinkedHashMap<>();
    private final Map<ManagedProcess, Timers.Planned> closed = new HashMap<>();
    private final List<ManagedProcess> overdue = new ArrayList<>();
    private final Map<Class<?>, Runnable> atEnd = new LinkedHashMap<>();
    private final String id;
    private final Optional<Subject> owner;
    private final ProcessServices services;
    private final Timers timers;
    private final SessionBounds bounds;
    private final SessionRegistry registry;
    private Duration ttl;
    private volatile Optional<Attachment> attachment;
    private volatile Resume resume = new Resume();
    private Optional<Timers.Planned> expiry = Optional.empty();
    private long expiresAtNanos;
    private boolean ended;

    Session(String id, Attachment first, Duration ttl, SessionRegistry registry) {
        this.id = id;
        this.owner = first.subject();
        this.attachment = Optional.of(first);
        this.ttl = ttl;
        this.registry = registry;
        this.services = registry.services();
        this.timers = registry.timers();
        this.bounds = registry.bounds();
    }

    public String id() {
        return id;
    }

    /**
     * Returns true if the session may be used by those whose credential names this subject: everybody, when it was begun
     * without one; else its owner alone.
     */
    boolean open(Optional<Subject> subject) {
        return owner.isEmpty() || owner.equals(subject);
    }

    /** How long the session outlives its connection. */
    public Duration ttl() {
        lock.lock();
        try {
            return ttl;
        } finally {
            lock.unlock();
        }
    }

    // ---- processes

    /**
     * Takes a process id for a start that is about to begin. From now on other calls find the process.
     *
     * @throws RpcException -32600 when the id is taken; -32603 with {@code data.reason} {@code "tooManyProcesses"} at the limit,
     *     {@code "shuttingDown"} while the server ends
     */
    public ManagedProcess reserve(StartParams params) {
        lock.lock();
        try {
            if (ended) {
                throw unknown();
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
            ManagedProcess process = new ManagedProcess(params, services, this::forgetLater, this::ask);
            processes.put(params.processId(), process);
            return process;
        } finally {
            lock.unlock();
        }
    }

    public Optional<ManagedProcess> find(String processId) {
        lock.lock();
        try {
            return Optional.ofNullable(processes.get(processId));
        } finally {
            lock.unlock();
        }
    }

    public Collection<ManagedProcess> processes() {
        lock.lock();
        try {
            return List.copyOf(processes.values());
        } finally {
            lock.unlock();
        }
    }

    /** A start failed: its id is free again. */
    public void forget(ManagedProcess process) {
        lock.lock();
        try {
            processes.remove(process.processId(), process);
        } finally {
            lock.unlock();
        }
    }

    private void forgetLater(ManagedProcess process) {
        long unreadUntil = System.nanoTime() + UNREAD.toNanos();
        lock.lock();
        try {
            if (!ended) {
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
     * The retention is over. A process that closed while its client was away waits for the client, and one whose end the client
     * was not told yet is looked at again: the client reads slowly, or the retention is short.
     */
    private void forgetWhenTold(ManagedProcess process, long unreadUntil) {
        lock.lock();
        try {
            closed.remove(process);
            if (!ended && attachment.isEmpty()) {
                overdue.add(process);
                return;
            }
            boolean mayRead = System.nanoTime() - unreadUntil < 0 && process.unread();
            if (!ended && (mayRead || process.pushesStill())) {
                forgetAfter(PUSHING, process, unreadUntil);
                return;
            }
            processes.remove(process.processId(), process);
        } finally {
            lock.unlock();
        }
        process.release();
    }

    /** A start was answered: from now on events of the process are pushed to whatever connection is attached. */
    public void startPushing(ManagedProcess process) {
        lock.lock();
        try {
            attachment.ifPresent(connection -> process.attach(connection.outbound()));
        } finally {
            lock.unlock();
        }
        process.push();
    }

    // ---- connections

    /**
     * Whether this connection still speaks for the session. Takes no lock: readers of output ask it while they hold the lock
     * of a log, which comes after the lock of the session.
     */
    public boolean attachedTo(Attachment connection) {
        return attachment.filter(current -> current == connection).isPresent();
    }

    /** The attached client has asked for a read of a process: it does not only listen. */
    public void readAsked() {
        resume.readAsked();
    }

    Optional<Attachment> attachment() {
        lock.lock();
        try {
            return attachment;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Attaches a new connection if {@code expected} is still what is attached; false when somebody else was faster.
     *
     * @throws RpcException -32600 when the session has ended or its time is over
     */
    boolean attach(Attachment connection, Optional<Attachment> expected, Optional<Duration> newTtl) {
        lock.lock();
        try {
            if (ended || (attachment.isEmpty() && System.nanoTime() - expiresAtNanos >= 0)) {
                throw unknown();
            }
            if (!attachment.equals(expected)) {
                return false;
            }
            expiry.ifPresent(Timers.Planned::cancel);
            expiry = Optional.empty();
            attachment = Optional.of(connection);
            newTtl.ifPresent(wanted -> ttl = wanted);
            resume = new Resume();
            processes.values().forEach(process -> process.resume(connection.outbound(), resume));
            overdue.forEach(this::forgetLater);
            overdue.clear();
            attached.signalAll();
        } finally {
            lock.unlock();
        }
        expected.ifPresent(Attachment::displaced);
        return true;
    }

    /**
     * Sends a request to the client as soon as one is attached.
     *
     * @return empty when none was within the limit, or the session has ended
     */
    private Optional<CompletableFuture<JsonSlice>> ask(String method, JsonWritable params, Duration limit)
            throws InterruptedException {
        long left = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (attachment.isEmpty() && !ended && left > 0) {
                left = attached.awaitNanos(left);
            }
            return ended ? Optional.empty() : attachment.map(connection -> connection.ask(method, params));
        } finally {
            lock.unlock();
        }
    }

    private RpcException unknown() {
        return SessionRegistry.unknown(id);
    }

    /** A connection is gone. If it was ours the session is detached and begins to expire. */
    public void connectionLost(Attachment connection) {
        boolean over;
        lock.lock();
        try {
            if (ended || attachment.filter(current -> current == connection).isEmpty()) {
                return;
            }
            attachment = Optional.empty();
            processes.values().forEach(ManagedProcess::detach);
            over = ttl.isZero() && !registry.stopping();
            if (!over) {
                expiresAtNanos = System.nanoTime() + ttl.toNanos();
                expiry = Optional.of(timers.after(ttl, "expiry", this::expire));
            }
        } finally {
            lock.unlock();
        }
        if (over) {
            end();
        }
    }

    private void expire() {
        lock.lock();
        try {
            if (attachment.isPresent() || System.nanoTime() - expiresAtNanos < 0) {
                return; // resumed in this moment, or resumed and lost again
            }
        } finally {
            lock.unlock();
        }
        end();
    }

    // ---- end

    /** Ends every process, after {@code grace}, and lets the attached client hear of it within a bounded time. */
    void endProcesses(Duration grace) {
        Threads.virtualAll("shutdown", processes(), process -> process.shutDown(grace));
        attachment().ifPresent(Attachment::awaitLastAnswers);
    }

    /** Ends every process and drops what they said. Returns when all of them are dead. */
    void end() {
        end(ManagedProcess::discard);
    }

    /** The client is done: as {@link #end}, but what processes that have closed left behind is let be. */
    public void finish() {
        end(ManagedProcess::finish);
    }

    /** Work for the end of the session, done once for each owner; at once when the session has ended already. */
    public void whenEnded(Class<?> owner, Runnable work) {
        lock.lock();
        try {
            if (!ended) {
                atEnd.putIfAbsent(owner, work);
                return;
            }
        } finally {
            lock.unlock();
        }
        work.run();
    }

    private void end(Consumer<ManagedProcess> how) {
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
            attached.signalAll();
        } finally {
            lock.unlock();
        }
        registry.forget(this);
        atEnd.values().forEach(Runnable::run);
        Threads.virtualAll("discard", last, how);
    }
}
