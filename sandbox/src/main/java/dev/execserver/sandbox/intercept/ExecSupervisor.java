package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.seccomp.ExecFilter;
import dev.execserver.sandbox.seccomp.Machine;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Supervises the programs that commands execute: each exec of each descendant waits in the kernel until a policy has decided
 * about it, see seccomp_unotify(2). No part of it runs in the command. For each command {@link #intercept} makes an
 * {@link Interception}, which is added to its start as a restriction.
 *
 * <p>A program that makes one and talks to servers is named as a server, see {@link dev.execserver.sandbox.peer.ServerProcess}.
 *
 * <p>Any thread may call. One virtual thread looks now and then for tasks that have died while they were asked about.
 */
public final class ExecSupervisor implements AutoCloseable {
    private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();

    private final Poller poller;
    private final Machine machine;
    private final byte[] filter;
    private final ExecWorkers workers = new ExecWorkers();
    private final boolean verifyAll;
    private final Set<Interception> running = ConcurrentHashMap.newKeySet();
    private final Thread watcher;
    private volatile boolean closed;

    /**
     * Makes a supervisor that verifies every program which runs in a sandbox.
     *
     * @param machine of this JVM
     */
    public ExecSupervisor(Poller poller, Machine machine) {
        this(poller, machine, true);
    }

    /**
     * Makes a supervisor.
     *
     * @param verifyAll false if only those programs are verified of which it is seen that the task could exchange them. A task
     *     that means harm can hide that it can, see decision 21
     */
    ExecSupervisor(Poller poller, Machine machine, boolean verifyAll) {
        this.poller = poller;
        this.machine = machine;
        this.filter = ExecFilter.assemble(machine);
        this.verifyAll = verifyAll;
        this.watcher = InterceptThreads.virtual("exec-watch", this::watch);
    }

    /**
     * Makes the interception of one command, for one start. The command's own program is not asked about, nor are those that
     * lead to it, such as bubblewrap: whoever starts it has decided about it.
     */
    public Interception intercept(ExecPolicy policy) {
        CommandWorkers own = new CommandWorkers(workers);
        ExecExaminer examiner = new ExecExaminer(machine, own, policy, new Escalations(machine, own), verifyAll);
        Interception interception = new Interception(poller, filter, examiner, own);
        running.add(interception);
        interception.whenEnded(() -> running.remove(interception));
        if (closed) {
            interception.close();
        }
        LockSupport.unpark(watcher);
        return interception;
    }

    private void watch() {
        while (!closed) {
            if (running.isEmpty()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, LOOK_NANOS);
                running.forEach(Interception::forgetDead);
            }
        }
    }

    /** Denies what waits and ends all interceptions. Later execs of their commands fail. */
    @Override
    public void close() {
        closed = true;
        running.forEach(Interception::close);
        LockSupport.unpark(watcher);
        workers.close();
    }
}
