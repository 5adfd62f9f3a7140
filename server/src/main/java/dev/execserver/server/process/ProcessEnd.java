package dev.execserver.server.process;

import dev.execserver.sandbox.tree.ProcessTree;
import dev.execserver.server.memory.InputMemory;
import dev.execserver.server.process.output.OutputLog;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Ends one process and forgets it: for a client, for one of its limits, for its session, or because the server stops.
 *
 * <p>Request threads and the clock enter. No locks of its own: {@link Lifecycle} decides about the state.
 */
public final class ProcessEnd {

    /** Time after a kill for the exit and the close to come. Only the clean-up of a sandbox may take longer. */
    private static final Duration CLOSE_AFTER_KILL = Duration.ofSeconds(3);

    /** Time that the client has, when the server stops, to take the events that it has not received. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(3);

    private final Supplier<Optional<StartedProgram>> program;
    private final Lifecycle lifecycle;
    private final OutputLog log;
    private final ClientSide client;
    private final InputMemory memory;
    private final ProcessTree tree;
    private final GracefulEnd gracefulEnd;

    /** @param program the started program; empty before the start has succeeded */
    ProcessEnd(
            Supplier<Optional<StartedProgram>> program,
            Lifecycle lifecycle,
            OutputLog log,
            ClientSide client,
            InputMemory memory,
            ProcessServices services) {
        this.program = program;
        this.lifecycle = lifecycle;
        this.log = log;
        this.client = client;
        this.memory = memory;
        this.tree = services.spawning().tree();
        this.gracefulEnd = new GracefulEnd(services.timers(), this::killTree);
    }

    /**
     * Kills the whole tree: the leader, its group, and all other descendants. Does not wait for their death.
     *
     * @param graceMs milliseconds between SIGTERM and SIGKILL; 0 kills at once
     * @return true if any process of the tree was alive, or the start was going on
     */
    public boolean terminate(long graceMs) {
        if (cancelStart()) {
            return true;
        }
        Optional<StartedProgram> target = program.get();
        boolean alive =
                target.isPresent() && (lifecycle.leaderAlive() || target.get().anyAlive());
        if (alive) {
            if (graceMs > 0) {
                target.get().askToEnd();
            }
            gracefulEnd.within(Duration.ofMillis(Math.max(0, graceMs)));
        }
        return alive;
    }

    /**
     * Ends the process because the server stops: SIGTERM, up to {@code grace} for the exit, SIGKILL for the rest.
     * Returns when the client has received the last output, the exit and the close, or did not take them in time.
     * Cancels a start that goes on.
     */
    public void shutDown(Duration grace) {
        if (cancelStart()) {
            return;
        }
        boolean ends = !log.isClosed();
        client.hurry();
        if (grace.isPositive() && lifecycle.leaderAlive()) {
            program.get().ifPresent(StartedProgram::askToEnd);
            boolean _ = lifecycle.awaitExited(grace.toNanos());
        }
        killTree();
        boolean _ = lifecycle.awaitClosed(CLOSE_AFTER_KILL.toNanos());
        log.awaitTold(ends, LAST_WORDS);
    }

    /** Kills the tree because the process has reached one of its own limits. */
    void because(String reason) {
        lifecycle.endBecause(reason);
        killTree();
    }

    /** Called when the leader was reaped: a kill that a client planned happens now. */
    void leaderGone() {
        gracefulEnd.leaderGone();
    }

    /** Kills all processes of the tree and closes the streams once they are read. */
    void killTree() {
        program.get().ifPresent(target -> {
            lifecycle.dropStreamsAtExit();
            boolean _ = tree.kill(target.child()); // false: a process of another user lives on
            if (target.child().exited()) {
                lifecycle.letGoOfStreams(Optional.empty());
            }
        });
    }

    /** Calls {@link #release} if the process has closed, {@link #discard} otherwise. */
    public void finish() {
        if (log.isClosed()) {
            release();
        } else {
            discard();
        }
    }

    /** Kills the process if it has not ended, and drops its output. Cancels a start that goes on and waits for its end. */
    public void discard() {
        client.detach();
        if (cancelStart()) {
            lifecycle.awaitStartEnd();
        }
        killTree();
        free();
    }

    /** Drops the output of a closed process. Daemons that it left behind live on. */
    public void release() {
        client.detach();
        free();
    }

    /** Frees what the process holds of the server. */
    void free() {
        client.close();
        log.free();
        memory.close();
    }

    /** Cancels a start that goes on, also one that waits for an answer of the client. Returns false if there is none. */
    private boolean cancelStart() {
        boolean cancelled = lifecycle.cancelStart();
        if (cancelled) {
            client.approvals().close();
        }
        return cancelled;
    }
}
