package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.seccomp.NotifyFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        this.verifyAll = verifyAll;
        this.watcher = InterceptThreads.virtual("exec-watch", this::watch);
    }

    /**
     * Makes the interception of one command, for one start. The command's own program is not asked about, nor are those that
     * lead to it, such as bubblewrap: whoever starts it has decided about it.
     */
    public Interception intercept(ExecPolicy policy) {
        return intercept(Optional.of(policy), Optional.empty());
    }

    /**
     * Makes the interception of one command, for one start. A filter has one listener, so that all calls come here.
     *
     * @param programs decides about programs as above; empty to let all run
     * @param connects examines each connect(2) of the command
     */
    public Interception intercept(Optional<ExecPolicy> programs, Optional<CallExaminer> connects) {
        CommandWorkers own = new CommandWorkers(workers);
        Optional<ExecExaminer> execs = programs.map(
                policy -> new ExecExaminer(machine, own, policy, new Escalations(machine, own), verifyAll));
        List<String> calls = new ArrayList<>();
        execs.ifPresent(_ -> calls.addAll(NotifyFilter.EXECS));
        connects.ifPresent(_ -> calls.addAll(NotifyFilter.CONNECTS));
        byte[] filter = NotifyFilter.assemble(machine, calls);
        Interception interception =
                new Interception(poller, filter, new Interception.Examiners(machine, execs, connects), own);
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
