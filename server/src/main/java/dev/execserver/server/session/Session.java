package dev.execserver.server.session;

import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.session.SessionRegistry.SessionBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The processes of one client.
 *
 * <p>Reader threads reserve ids, request threads look processes up, the clock forgets them. {@code lock} guards the map
 * and the end; it is taken before the locks of processes.
 */
public final class Session {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ManagedProcess> processes = new LinkedHashMap<>();
    private final String id;
    private final ProcessServices services;
    private final Timers timers;
    private final SessionBounds bounds;
    private final SessionRegistry registry;
    private boolean ended;

    Session(String id, ProcessServices services, Timers timers, SessionBounds bounds, SessionRegistry registry) {
        this.id = id;
        this.services = services;
        this.timers = timers;
        this.bounds = bounds;
        this.registry = registry;
    }

    public String id() {
        return id;
    }

    /**
     * Takes a process id for a start that is about to begin. From now on other calls find the process.
     *
     * @throws RpcException -32600 when the id is taken; -32603 with {@code data.reason = "tooManyProcesses"} at the limit
     */
    public ManagedProcess reserve(StartParams params) {
        lock.lock();
        try {
            if (ended) {
                throw RpcException.invalidRequest("session " + id + " has ended");
            }
            if (processes.containsKey(params.processId())) {
                throw RpcException.invalidRequest("process " + params.processId() + " already exists");
            }
            if (processes.size() >= bounds.maxProcesses()) {
                throw RpcException.internal("the session has " + processes.size()
                                + " processes, ended ones included, and takes no more; see --max-processes")
                        .withData("reason", "tooManyProcesses")
                        .withData("limit", bounds.maxProcesses());
            }
            ManagedProcess process = new ManagedProcess(params, services, this::forgetLater);
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
        timers.after(bounds.processRetention(), "retention", () -> {
            forget(process);
            process.discard();
        });
    }

    /** Pushes the events of a process to the connection that started it, unless that connection is gone. */
    public void startPushing(ManagedProcess process, Outbound connection) {
        process.attach(connection, 0);
    }

    /** The connection is gone; the session ends with it, unless the server itself is ending. */
    public void connectionLost() {
        registry.connectionLost(this);
    }

    /** Asks every process to end and waits for that as long as {@code grace} allows. */
    void terminateAll(Duration grace) {
        if (grace.isPositive()) {
            Threads.virtualAll("terminate", processes(), process -> process.terminateAndWait(grace));
        }
    }

    /** Ends every process and drops what they said. Returns when all of them are dead. */
    public void end() {
        List<ManagedProcess> last;
        lock.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            last = new ArrayList<>(processes.values());
            processes.clear();
        } finally {
            lock.unlock();
        }
        registry.forget(this);
        Threads.virtualAll("discard", last, ManagedProcess::discard);
    }
}
