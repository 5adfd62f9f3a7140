package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.tree.ProcessTree;
import java.time.Duration;
import java.util.Optional;

/**
 * A started process and the server's ends of its streams. Any thread may query, wait or signal; the streams follow the rules
 * of {@link AsyncFd}. The caller of the spawner closes the streams. The process is reaped without a caller. No locks of its
 * own.
 */
public final class Child {
    private final ProcessLeader leader;
    private final ProcessMark mark;
    private final boolean terminal;
    private final Optional<AsyncFd> stdin;
    private final AsyncFd stdout;
    private final Optional<AsyncFd> stderr;

    Child(
            ProcessLeader leader,
            ProcessMark mark,
            boolean terminal,
            Optional<AsyncFd> stdin,
            AsyncFd stdout,
            Optional<AsyncFd> stderr) {
        this.leader = leader;
        this.mark = mark;
        this.terminal = terminal;
        this.stdin = stdin;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    /** Returns the pid, which is also the id of its session and of its process group. */
    public int pid() {
        return leader.pid();
    }

    public ProcessMark mark() {
        return mark;
    }

    /** Returns true if all three streams are one terminal; {@link #stdin()} and {@link #stdout()} are then the same master. */
    public boolean terminal() {
        return terminal;
    }

    /** Returns the input; empty if the child reads /dev/null. */
    public Optional<AsyncFd> stdin() {
        return stdin;
    }

    public AsyncFd stdout() {
        return stdout;
    }

    /** Returns the error output; empty on a terminal. */
    public Optional<AsyncFd> stderr() {
        return stderr;
    }

    /**
     * Parks until the process has ended and was reaped. Its output may go on, because descendants can hold the streams.
     *
     * @throws ClosedException if the poller was closed first
     */
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

    /** Signals the process itself, see signal(7); false if it has ended. */
    public boolean signal(int signal) {
        return leader.signal(signal);
    }

    /** Signals its process group; false if the leader has ended. Then {@link ProcessTree} reaches the rest of the group. */
    public boolean signalGroup(int signal) {
        return leader.signalGroup(signal);
    }

    /** Closes the server's ends of all streams. A child that still writes gets SIGPIPE, one on a terminal SIGHUP. */
    public void closeStreams() {
        stdin.ifPresent(AsyncFd::close);
        stdout.close();
        stderr.ifPresent(AsyncFd::close);
    }

    @Override
    public String toString() {
        return "process " + pid();
    }
}
