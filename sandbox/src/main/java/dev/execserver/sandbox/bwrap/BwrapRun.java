package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ClosedException;
import dev.execserver.sandbox.spawn.Drain;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.Poller;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One running bubblewrap, seen from outside. {@link #awaitStanding} is called once by whoever started it; after that any
 * thread may signal. Closed after the exit. The fields that change are volatile and written by one thread at a time.
 */
public final class BwrapRun implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(BwrapRun.class.getName());
    private static final Pattern CHILD = Pattern.compile("\"child-pid\":\\s*(\\d+)");
    private static final Pattern EXIT_CODE = Pattern.compile("\"exit-code\":\\s*(\\d+)");
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration FAREWELL = Duration.ofSeconds(2);
    private static final int MAX_MESSAGE = 64 * 1024;

    private final Poller poller;
    private final Optional<Child> child;
    private final int outerPid;
    private final Addressee addressee;
    private final AsyncFd gate;
    private final AsyncFd status;
    private final Doors doors;
    private final Placeholders.Lease lease;
    private final LinkJournal links;
    private final Optional<Hold> hold;
    private volatile Optional<AsyncFd> inner = Optional.empty();
    private volatile int innerPid;
    private volatile String report = "";

    /** Who gets signals. */
    enum Addressee {
        /** The session inside, which is one process group unless the command makes others. */
        GROUP,
        /** A session on a terminal of its own, but not bubblewrap, which is in it. */
        SESSION,
        /** The command alone: it is in the process group of whoever has started this. */
        COMMAND
    }

    /** How the set-up ended. */
    public sealed interface Standing {
        /** Everything is mounted; the command is being executed. */
        record Yes() implements Standing {}

        /** Bubblewrap gave up; nothing of the command has run. */
        record Failed(String message) implements Standing {}

        /**
         * Bubblewrap gave up while what is mounted on the host changed; nothing of the command has run. Bubblewrap looks at every
         * mount of the host one after the other, and one that goes away meanwhile ends it. Tried again, it may work: what
         * has vanished is none of the policy's business.
         */
        record Disturbed(String message) implements Standing {
            /** How often one start is tried. A loop that mounts and unmounts without a pause disturbs up to every second one. */
            public static final int ATTEMPTS = 60;
        }

        /** The caller did not want it any more; bubblewrap may still be alive. */
        record Cancelled() implements Standing {}
    }

    /**
     * What bubblewrap waits for once everything is mounted.
     *
     * @param fault finishes the view, seen from its first process, and says what is wrong with it
     * @param release lets it go on
     * @param pipe closed without having been written to, it makes bubblewrap give up
     */
    record Hold(IntFunction<Optional<String>> fault, Runnable release, Fd pipe) {
        /** Lets it go on, or not: why. */
        Optional<Standing> end(int pid) {
            Optional<String> found = fault.apply(pid);
            if (found.isEmpty()) {
                release.run();
            }
            pipe.close();
            return found.map(Standing.Failed::new);
        }
    }

    BwrapRun(
            Poller poller,
            Optional<Child> child,
            int outerPid,
            Addressee addressee,
            AsyncFd gate,
            AsyncFd status,
            Doors doors,
            Placeholders.Lease lease,
            LinkJournal links,
            Optional<Hold> hold) {
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

    /** The child that is bubblewrap itself; its streams are those of the command. */
    public Child child() {
        return child.orElseThrow();
    }

    /** Waits until the sandbox stands or cannot be built. */
    public Standing awaitStanding(BooleanSupplier cancelled) {
        if (doors.wanted()) {
            Optional<Standing> obstacle = openDoors(cancelled);
            if (obstacle.isPresent()) {
                return obstacle.get();
            }
        }
        Drain.End end = Drain.awaitEnd(gate, STEP);
        while (end == Drain.End.NOT_YET && !cancelled.getAsBoolean()) {
            end = Drain.awaitEnd(gate, STEP);
        }
        return switch (end) {
            case NOT_YET -> new Standing.Cancelled();
            case RESET -> new Standing.Failed(message());
            case ORDERLY -> {
                report = report.concat(Drain.available(status, MAX_MESSAGE));
                innerPid = find(CHILD, report).orElse(0);
                inner = openInner();
                yield hold.flatMap(held -> held.end(innerPid)).orElseGet(Standing.Yes::new);
            }
        };
    }

    /**
     * The sockets are made while bubblewrap mounts, and only then is it let on: without them the command does not start.
     * Empty when they are there.
     */
    private Optional<Standing> openDoors(BooleanSupplier cancelled) {
        while (report.indexOf('\n') < 0) {
            if (cancelled.getAsBoolean()) {
                return Optional.of(new Standing.Cancelled());
            }
            if (status.awaitReadable(STEP.toNanos())) {
                String more = Drain.available(status, MAX_MESSAGE);
                if (more.isEmpty()) {
                    return Optional.of(new Standing.Failed(message()));
                }
                report = report.concat(more);
            }
        }
        try {
            doors.open(find(CHILD, report).orElse(0));
        } catch (LinuxException e) {
            return Optional.of(new Standing.Failed(doors.failure(e)));
        }
        if (child.isPresent() && child.get().exited()) {
            return Optional.of(new Standing.Failed(message())); // what is inside would run without it
        }
        try {
            gate.use(fd -> {
                FileCalls.writeByte(fd);
                return true;
            });
        } catch (LinuxException e) {
            return Optional.of(new Standing.Failed(message())); // EPIPE: it has ended meanwhile
        }
        return Optional.empty();
    }

    /** The listening sockets, in the order of the plan's ports; the caller closes them from now on. */
    public List<AsyncFd> takeDoors() {
        return doors.take();
    }

    /** What bubblewrap says of its failure, in one line. */
    private String message() {
        if (child.isEmpty()) {
            return "bubblewrap could not build the sandbox"; // it has said why on the shared stderr
        }
        AsyncFd stream = child.get().stderr().orElse(child.get().stdout());
        String text = Drain.untilEnd(stream, MAX_MESSAGE, FAREWELL).strip().replaceAll("\\R\\s*", " ");
        return text.isEmpty() ? "bubblewrap ended without a message" : text;
    }

    /**
     * Signals the command and what it has started in its group, not bubblewrap around it, whose death would take the
     * sandbox away before a handler could run.
     *
     * @return false when there is nobody
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

    /** Returns true if this member of the tree belongs to the command, not to bubblewrap, and {@link #signal} does not reach it. */
    public boolean unreached(int pid, ProcFiles.Stat stat) {
        if (innerPid == 0 || isBubblewrap(pid)) {
            return false;
        }
        return switch (addressee) {
            case GROUP -> stat.group() != innerPid;
            case SESSION -> stat.session() != outerPid;
            case COMMAND -> false; // the group of whoever has started this is not ours to signal
        };
    }

    /** Returns true if this is a process of bubblewrap itself. */
    public boolean isBubblewrap(int pid) {
        return pid == outerPid || pid == innerPid;
    }

    /** The process of the command itself; empty before it runs, and where the kernel does not tell. */
    public Optional<Integer> commandPid() {
        return innerPid == 0 ? Optional.empty() : ProcFiles.firstChild(innerPid);
    }

    /** On a terminal the command shares group and session with bubblewrap: everybody but that is meant. */
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

    /** The first child of the first process inside; later ones are orphans that it has to adopt. */
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
     * The exit code of the command. When it could not even be executed, which is seen only after the sandbox stands, that is
     * 127 or 126 as a shell says it, not bubblewrap's 1.
     *
     * @param exit of bubblewrap
     * @param notExecuted finds out which of the two
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
     * After bubblewrap has ended: waits until the first process inside is gone, and with it all others. Bubblewrap does not
     * wait for what the command has left running, it only has it killed. When nothing is left there is nothing to wait for:
     * the first process does no more than take the mounts down, which takes the kernel as long as it took to make them.
     */
    public void awaitGone() {
        if (innerPid != 0 && ProcFiles.childless(innerPid)) {
            return;
        }
        inner.ifPresent(process -> {
            if (!process.awaitReadable(FAREWELL.toNanos())) {
                LOG.log(System.Logger.Level.WARNING, "process {0} of a sandbox does not end", innerPid);
            }
        });
    }

    /**
     * Puts right the links that nothing could be mounted over, after everything inside has gone. Touches files.
     *
     * @return what was not as before
     */
    public List<LinkGuard.Violation> restoreLinks() {
        return links.restore();
    }

    /** Takes everything away that others could see of it: after that the files are as before. Touches files. */
    public void clear() {
        links.close();
        lease.giveBack();
    }

    /** The same, and lets go of all that is open. Touches files. */
    @Override
    public void close() {
        clear();
        hold.ifPresent(held -> held.pipe().close());
        gate.close();
        status.close();
        inner.ifPresent(AsyncFd::close);
        doors.close();
        lease.close();
    }
}
