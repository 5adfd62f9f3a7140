package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.Drain;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.outcome.LinkViolation;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running bubblewrap, seen from outside. The starting thread calls {@link #awaitSetup} once; after that any thread may
 * signal. Close it after the exit. The fields that change are volatile and written by one thread at a time.
 */
public final class BwrapRun implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(BwrapRun.class.getName());
    private static final Pattern CHILD = Pattern.compile("\"child-pid\":\\s*(\\d+)");
    private static final Pattern EXIT_CODE = Pattern.compile("\"exit-code\":\\s*(\\d+)");
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration LAST_OUTPUT_WAIT = Duration.ofSeconds(2);
    private static final int MAX_MESSAGE = 64 * 1024;

    private final Poller poller;
    private final Optional<Child> child;
    private final int outerPid;
    private final Addressee addressee;
    private final AsyncFd gate;
    private final AsyncFd status;
    private final ProxyListeners doors;
    private final Placeholders.Lease lease;
    private final LinkJournal links;
    private final Hold hold;
    private volatile Optional<AsyncFd> inner = Optional.empty();
    private volatile int innerPid;
    private volatile String report = "";

    /** The processes that get a signal. */
    enum Addressee {
        /** The session inside. It is one process group unless the command makes others. */
        GROUP,
        /** A session on its own terminal, without bubblewrap, which is in that session. */
        SESSION,
        /** Only the command, because it is in the process group of the process that started this one. */
        COMMAND
    }

    /**
     * Work to do while bubblewrap waits after all mounts.
     *
     * @param fault completes the view, given its first process, and returns the fault
     * @param release lets bubblewrap go on
     * @param pipe if closed without a write, bubblewrap gives up
     */
    record Hold(IntFunction<Optional<String>> fault, Runnable release, Fd pipe) {
        /** Lets bubblewrap go on if there is no fault. Returns the failure otherwise. */
        Optional<SetupResult> end(int pid) {
            try (pipe) {
                Optional<String> found = fault.apply(pid);
                if (found.isEmpty()) {
                    release.run();
                }
                return found.map(SetupResult.Failed::new);
            } catch (LinuxException e) {
                return Optional.of(
                        new SetupResult.Failed("the view of the sandbox cannot be checked: " + e.getMessage()));
            }
        }
    }

    BwrapRun(
            Poller poller,
            Optional<Child> child,
            int outerPid,
            Addressee addressee,
            AsyncFd gate,
            AsyncFd status,
            ProxyListeners doors,
            Placeholders.Lease lease,
            LinkJournal links,
            Hold hold) {
        this.poller = poller;
        this.child = child;
        this.outerPid = outerPid;
        this.addressee = addressee;
        this.gate = gate;
        this.status = status;
        this.doors = doors;
        this.lease = lease;
        this.links = links;
        this.hold = hold;
    }

    /** Returns bubblewrap itself as a child; its streams are those of the command. */
    public Child child() {
        return child.orElseThrow();
    }

    /** Waits until the sandbox is complete or cannot be built, and checks the view on this thread, which may wait for files. */
    public SetupResult awaitSetup(BooleanSupplier cancelled) {
        return awaitSetup(cancelled, Supplier::get);
    }

    /**
     * Waits until the sandbox is complete or cannot be built.
     *
     * @param onFileThread runs the check of the view, which looks at files, on a thread that may wait for them
     */
    public SetupResult awaitSetup(
            BooleanSupplier cancelled, Function<Supplier<SetupResult>, SetupResult> onFileThread) {
        if (doors.wanted()) {
            Optional<SetupResult> obstacle = openProxyListeners(cancelled);
            if (obstacle.isPresent()) {
                return obstacle.get();
            }
        }
        Drain.End end = Drain.awaitEnd(gate, STEP);
        while (end == Drain.End.NOT_YET && !cancelled.getAsBoolean()) {
            end = Drain.awaitEnd(gate, STEP);
        }
        return switch (end) {
            case NOT_YET -> new SetupResult.Cancelled();
            case RESET -> new SetupResult.Failed(message());
            case ORDERLY -> {
                report = report.concat(Drain.available(status, MAX_MESSAGE));
                innerPid = find(CHILD, report).orElse(0);
                inner = openInner();
                yield onFileThread.apply(() -> hold.end(innerPid).orElseGet(SetupResult.Yes::new));
            }
        };
    }

    /**
     * Makes the listening sockets while bubblewrap mounts, and then lets it go on: the command must not start without them.
     * Returns the obstacle; empty if they are open.
     */
    private Optional<SetupResult> openProxyListeners(BooleanSupplier cancelled) {
        while (report.indexOf('\n') < 0) {
            if (cancelled.getAsBoolean()) {
                return Optional.of(new SetupResult.Cancelled());
            }
            if (status.awaitReadable(STEP.toNanos())) {
                String more = Drain.available(status, MAX_MESSAGE);
                if (more.isEmpty()) {
                    return Optional.of(new SetupResult.Failed(message()));
                }
                report = report.concat(more);
            }
        }
        try {
            doors.open(find(CHILD, report).orElse(0));
        } catch (LinuxException e) {
            return Optional.of(new SetupResult.Failed(doors.failure(e)));
        }
        if (child.isPresent() && child.get().exited()) {
            return Optional.of(new SetupResult.Failed(message())); // the command inside would run without bubblewrap
        }
        try {
            gate.use(fd -> {
                FileCalls.writeByte(fd);
                return true;
            });
        } catch (LinuxException e) {
            return Optional.of(new SetupResult.Failed(message())); // EPIPE: it has ended meanwhile
        }
        return Optional.empty();
    }

    /** Returns the listening sockets, in the order of the plan's ports. The caller closes them from now on. */
    public List<AsyncFd> takeProxyListeners() {
        return doors.take();
    }

    /** Returns bubblewrap's error message in one line. */
    private String message() {
        if (child.isEmpty()) {
            return "bubblewrap could not build the sandbox"; // the shared stderr has its message
        }
        AsyncFd stream = child.get().stderr().orElse(child.get().stdout());
        String text =
                Drain.untilEnd(stream, MAX_MESSAGE, LAST_OUTPUT_WAIT).strip().replaceAll("\\R\\s*", " ");
        return text.isEmpty() ? "bubblewrap ended without a message" : text;
    }

    /**
     * Signals the command and the processes in its group, but not bubblewrap around it, whose death would end the sandbox
     * before a handler could run.
     *
     * @return false if there is no process
     */
    public boolean signal(int number) {
        int first = innerPid;
        if (first == 0) {
            return false;
        }
        return switch (addressee) {
            case GROUP -> ProcessCalls.kill(-first, number);
            case SESSION -> signalSession(number);
            case COMMAND ->
                command().filter(pid -> ProcessCalls.kill(pid, number)).isPresent();
        };
    }

    /** Returns true if this process belongs to the command, not to bubblewrap, and {@link #signal} does not reach it. */
    public boolean unreached(int pid, ProcFiles.Stat stat) {
        if (innerPid == 0 || isBubblewrap(pid)) {
            return false;
        }
        return switch (addressee) {
            case GROUP -> stat.group() != innerPid;
            case SESSION -> stat.session() != outerPid;
            case COMMAND -> false; // the group of the process that started this one must not be signalled
        };
    }

    /** Returns true if this is a process of bubblewrap itself. */
    public boolean isBubblewrap(int pid) {
        return pid == outerPid || pid == innerPid;
    }

    /** Returns the pid of the command itself; empty before it runs, or if the kernel does not tell. */
    public Optional<Integer> commandPid() {
        return innerPid == 0 ? Optional.empty() : ProcFiles.firstChild(innerPid);
    }

    /**
     * Signals all processes of the session except bubblewrap, which shares group and session with the command on a terminal.
     */
    private boolean signalSession(int number) {
        boolean reached = false;
        for (int pid : ProcFiles.pids()) {
            if (pid == outerPid || pid == innerPid) {
                continue;
            }
            if (ProcFiles.stat(pid).filter(stat -> stat.session() == outerPid).isPresent()) {
                reached |= ProcessCalls.kill(pid, number);
            }
        }
        return reached;
    }

    /** Returns the oldest child of the first process inside. Younger ones are orphans that it has adopted. */
    private Optional<Integer> command() {
        Optional<Integer> oldest = Optional.empty();
        long start = Long.MAX_VALUE;
        for (int pid : ProcFiles.pids()) {
            Optional<ProcFiles.Stat> stat = ProcFiles.stat(pid).filter(found -> found.parent() == innerPid);
            if (stat.isPresent() && stat.get().startTicks() < start) {
                start = stat.get().startTicks();
                oldest = Optional.of(pid);
            }
        }
        return oldest;
    }

    private Optional<AsyncFd> openInner() {
        return innerPid == 0
                ? Optional.empty()
                : ProcessCalls.tryPidfdOpen(innerPid).map(pidfd -> AsyncFd.pipe(poller, pidfd));
    }

    /**
     * Returns the exit code of the command. If the command could not be executed, which shows only after the sandbox is
     * complete, the code is 127 or 126 as in shells, not bubblewrap's 1.
     *
     * @param exit exit status of bubblewrap
     * @param notExecuted computes the code, 127 or 126
     */
    public int exitCode(ExitStatus exit, IntSupplier notExecuted) {
        String last;
        try {
            last = Drain.available(status, MAX_MESSAGE);
        } catch (ClosedException e) {
            return exit.code();
        }
        Optional<Integer> reported = find(EXIT_CODE, report + last);
        if (reported.isPresent() || exit.signaled() || exit.code() != 1) {
            return reported.orElse(exit.code());
        }
        return notExecuted.getAsInt();
    }

    private static Optional<Integer> find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(Integer.valueOf(matcher.group(1))) : Optional.empty();
    }

    /**
     * Waits until the first process inside is gone, and with it all others. Call it after bubblewrap has ended, because
     * bubblewrap only kills the left processes of the command and does not wait for them. If the first process has no
     * children left, there is no wait: it only takes the mounts down, which takes the kernel as long as making them.
     */
    public void awaitGone() {
        if (innerPid != 0 && ProcFiles.childless(innerPid)) {
            return;
        }
        inner.ifPresent(process -> {
            if (!process.awaitReadable(LAST_OUTPUT_WAIT.toNanos())) {
                LOG.log(System.Logger.Level.WARNING, "process {0} of a sandbox does not end", innerPid);
            }
        });
    }

    /**
     * Restores the links that could not be mounted over, after all processes inside have ended. Touches files.
     *
     * @return the links that were changed
     */
    public List<LinkViolation> restoreLinks() {
        return links.restore();
    }

    /** Removes everything that others could see of the run, so that the files are as before. Touches files. */
    public void clear() {
        links.close();
        lease.giveBack();
    }

    /** Clears the run and closes all that is open. Touches files. */
    @Override
    public void close() {
        clear();
        hold.pipe().close();
        gate.close();
        status.close();
        inner.ifPresent(AsyncFd::close);
        doors.close();
        lease.close();
    }
}
