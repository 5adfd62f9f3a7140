package dev.execserver.sandbox.spawn;

import java.time.Duration;
import java.util.Optional;

/** A started process that shares the standard streams of this one. Any thread may wait or signal. No locks of its own. */
public final class AttachedChild {
    private final ProcessLeader leader;

    AttachedChild(ProcessLeader leader) {
        this.leader = leader;
    }

    /** Returns the pid, which is also the id of its session and process group if it has its own. */
    public int pid() {
        return leader.pid();
    }

    /** Parks until the process was reaped. */
    public ExitStatus awaitExit() {
        return leader.awaitExit();
    }

    /** Parks as {@link #awaitExit()} does, with a limit; empty if the time was up. */
    public Optional<ExitStatus> awaitExit(Duration limit) throws InterruptedException {
        return leader.awaitExit(limit);
    }

    public boolean exited() {
        return leader.exited();
    }

    /** Signals the process itself; false if it has ended. */
    public boolean signal(int signal) {
        return leader.signal(signal);
    }

    /** Signals its process group, if it has its own; false if the leader has ended. */
    public boolean signalGroup(int signal) {
        return leader.signalGroup(signal);
    }
}
