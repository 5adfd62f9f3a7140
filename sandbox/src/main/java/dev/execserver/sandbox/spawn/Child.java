package dev.execserver.sandbox.spawn;

import java.time.Duration;
import java.util.Optional;

/**
 * A started process and our ends of its streams. Any thread may ask, wait or signal; the streams follow the rules of
 * {@link AsyncFd}. Whoever spawned it closes the streams; the process itself is reaped without anybody's help. No locks
 * of its own.
 */
public final class Child {
    private final Leader leader;
    private final ProcessMark mark;
    private final boolean terminal;
    private final Optional<AsyncFd> stdin;
    private final AsyncFd stdout;
    private final Optional<AsyncFd> stderr;

    Child(
            Leader leader,
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

    /** Also the number of its session and its process group. */
    public int pid() {
        return leader.pid();
    }

    public ProcessMark mark() {
        return mark;
    }

    /** Whether all three streams are one terminal; {@link #stdin()} and {@link #stdout()} are then the same master. */
    public boolean terminal() {
        return terminal;
    }

    /** Empty when the child reads /dev/null. */
    public Optional<AsyncFd> stdin() {
        return stdin;
    }

    public AsyncFd stdout() {
        return stdout;
    }

    /** Empty on a terminal. */
    public Optional<AsyncFd> stderr() {
        return stderr;
    }

    /**
     * Parks until the process has ended and was reaped. Its output may go on: descendants can hold the streams.
     *
     * @throws ClosedException when the poller was closed first
     */
    public ExitStatus awaitExit() {
        return leader.awaitExit();
    }

    /** As {@link #awaitExit()} with a limit; empty when the time was up. */
    public Optional<ExitStatus> awaitExit(Duration limit) throws InterruptedException {
        return leader.awaitExit(limit);
    }

    public boolean exited() {
        return leader.exited();
    }

    /** Signals the process itself, see signal(7); false when it has ended. */
    public boolean signal(int signal) {
        return leader.signal(signal);
    }

    /**
     * Signals its process group; false when the leader has ended. What is left of the group then is reached through
     * {@link ProcessTree}.
     */
    public boolean signalGroup(int signal) {
        return leader.signalGroup(signal);
    }

    /** Closes our ends of all streams; a child that still writes gets SIGPIPE, one on a terminal SIGHUP. */
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
