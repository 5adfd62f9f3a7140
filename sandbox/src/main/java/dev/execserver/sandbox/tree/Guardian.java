package dev.execserver.sandbox.tree;

import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SpawnCalls;
import dev.execserver.sandbox.linux.SpawnCalls.Source;
import dev.execserver.sandbox.spawn.ProcessLeader;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Cleans up after a server that was killed. It is a shell that waits on a pipe whose other end only this server holds. When
 * the kernel closes that end, the shell kills every process with a mark of this server until only zombies are left. Then it
 * undoes the entries of the server's {@link Ledger}, see {@link GuardianScript}. It needs /bin/sh, grep, rm and stat; flock
 * for placeholders that other servers share; ls and chmod for those that the user has filled; ln and mv with -T for links.
 *
 * <p>The shell leads its own session, ignores HUP, INT and TERM, bears no mark and holds only the pipe, /dev/null, the
 * ledger, which it can only read, and the locks of the server ({@link dev.execserver.sandbox.ledger.KeptFiles}), until all
 * processes are dead. If it dies it is started again, after a pause that doubles; at the sixth death within a
 * minute the server gives up. Any thread may call. The lock guards the current shell; a virtual thread waits for the end of
 * the shell.
 */
public final class Guardian implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Guardian.class.getName());
    private static final int MAX_DEATHS = 5;
    private static final long DEATHS_WITHIN = Duration.ofMinutes(1).toNanos();
    private static final long FIRST_PAUSE = Duration.ofMillis(50).toNanos();
    private static final Duration FAREWELL_LIMIT = Duration.ofSeconds(2);
    private static final byte[] END_LINE = "done\n".getBytes(StandardCharsets.US_ASCII);

    private final Spawner spawner;
    private final List<byte[]> argv;
    private final Ledger ledger;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private ProcessLeader shell;
    private Fd lifeline;
    private boolean closed;
    private boolean givenUp;

    private Guardian(Spawner spawner, List<byte[]> argv, Ledger ledger) {
        this.spawner = spawner;
        this.argv = argv;
        this.ledger = ledger;
    }

    /**
     * Starts the guardian.
     *
     * @param marks marks of the processes to kill; without marks the shell only undoes the ledger
     * @param ledger entries to undo; stays open as long as the guardian
     */
    public static Guardian start(Spawner spawner, ProcessMarks marks, Ledger ledger) {
        List<byte[]> argv = new ArrayList<>();
        for (String argument :
                List.of("exec-server-guardian", "-c", GuardianScript.TEXT, "guardian", "" + marks.prefix())) {
            argv.add(SpawnRequest.bytes(argument));
        }
        Guardian guardian = new Guardian(spawner, argv, ledger);
        ProcessLeader first = guardian.launch();
        TreeThreads.virtual("guardian-watch", () -> guardian.watch(first));
        return guardian;
    }

    /** Returns the pid of the present shell. */
    public int pid() {
        lock.lock();
        try {
            return shell.pid();
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if a shell watches over this server now. */
    public boolean watching() {
        lock.lock();
        try {
            return !closed && !givenUp && !shell.exited();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the shell without killing or removing anything: for an orderly shutdown, after all processes have ended. */
    @Override
    public void close() {
        ProcessLeader last;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            closing.signalAll();
            last = shell;
            // Five bytes fit into an empty pipe, so this does not wait.
            if (!lifeline.closed()) {
                sayEnd();
            }
            lifeline.close();
        } finally {
            lock.unlock();
        }
        awaitOrKill(last);
    }

    /** Closes the pipe without a line, as the kernel does when the server is killed: the shell cleans up. */
    void abandon() {
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
            lifeline.close();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the shell, which ends within milliseconds unless it is stopped; kills it after the limit. */
    private static void awaitOrKill(ProcessLeader last) {
        try {
            if (last.awaitExit(FAREWELL_LIMIT).isEmpty()) {
                last.signal(ProcessCalls.SIGKILL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            last.signal(ProcessCalls.SIGKILL);
        } catch (ClosedException e) {
            LOG.log(System.Logger.Level.DEBUG, "poller closed before the guardian had gone");
        }
    }

    private void sayEnd() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment line = arena.allocate(END_LINE.length);
            line.copyFrom(MemorySegment.ofArray(END_LINE));
            // EPIPE is fine: the shell has just died.
            FileCalls.write(lifeline.number(), line);
        }
    }

    private ProcessLeader launch() {
        byte[] nothing = SpawnRequest.bytes("/dev/null");
        PipeCalls.Pipe pipe = PipeCalls.pipe();
        try (Fd readEnd = pipe.readEnd()) {
            SpawnCalls.Plan plan = new SpawnCalls.Plan(
                    SpawnRequest.bytes("/bin/sh"),
                    argv,
                    List.of(SpawnRequest.bytes("PATH=/usr/bin:/bin:/usr/sbin:/sbin"), SpawnRequest.bytes("LC_ALL=C")),
                    Optional.of(SpawnRequest.bytes("/")),
                    List.of(
                            new Source.Copy(readEnd.number()),
                            new Source.Open(nothing, FileCalls.O_WRONLY),
                            new Source.Same(1),
                            new Source.Copy(ledger.reading().number()),
                            new Source.Copy(ledger.kept().socket().number())));
            int newest = Math.max(
                    readEnd.number(),
                    Math.max(ledger.reading().number(), ledger.kept().socket().number()));
            ProcessLeader started = spawner.launch(plan, newest);
            adopt(started, pipe.writeEnd());
            return started;
        } catch (RuntimeException e) {
            pipe.writeEnd().close();
            throw e;
        }
    }

    private void adopt(ProcessLeader started, Fd writeEnd) {
        lock.lock();
        try {
            if (lifeline != null) {
                lifeline.close();
            }
            shell = started;
            lifeline = writeEnd;
            if (closed) {
                sayEnd();
                lifeline.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private void watch(ProcessLeader first) {
        Optional<ProcessLeader> current = Optional.of(first);
        long windowStart = System.nanoTime();
        int deaths = 0;
        while (true) {
            String end = current.map(Guardian::awaitEnd).orElse("could not be started");
            if (System.nanoTime() - windowStart > DEATHS_WITHIN) {
                windowStart = System.nanoTime();
                deaths = 0;
            }
            deaths++;
            if (closedWithin(FIRST_PAUSE << deaths)) {
                return;
            }
            if (deaths > MAX_DEATHS) {
                giveUp(end);
                return;
            }
            LOG.log(System.Logger.Level.WARNING, "guardian {0}, starting another", end);
            current = relaunch();
        }
    }

    /** Returns a description of the shell's end. */
    private static String awaitEnd(ProcessLeader shell) {
        try {
            int code = shell.awaitExit().code();
            return code == GuardianScript.EXIT_NO_TOOLS
                    ? "found no grep, rm or stat in /usr/bin or /bin"
                    : "ended with code " + code;
        } catch (ClosedException e) {
            return "is out of sight: " + e.getMessage();
        }
    }

    private Optional<ProcessLeader> relaunch() {
        try {
            return Optional.of(launch());
        } catch (LinuxException | ClosedException e) {
            LOG.log(System.Logger.Level.WARNING, "guardian could not be started", e);
            return Optional.empty();
        }
    }

    private void giveUp(String lastEnd) {
        lock.lock();
        try {
            givenUp = true;
        } finally {
            lock.unlock();
        }
        LOG.log(
                System.Logger.Level.ERROR,
                "no guardian after {0} deaths within a minute, the last one {1}; if this server is killed, its processes"
                        + " will be left behind",
                MAX_DEATHS + 1,
                lastEnd);
    }

    private boolean closedWithin(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = closing.awaitNanos(left);
            }
            return closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } finally {
            lock.unlock();
        }
    }
}
