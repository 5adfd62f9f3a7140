package dev.execserver.server.process;

import dev.execserver.protocol.process.Denial;
import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.server.exec.CommandClock;
import dev.execserver.server.process.denial.DenialScan;
import dev.execserver.server.process.output.EventKind;
import dev.execserver.server.process.output.Exit;
import dev.execserver.server.process.output.OutputLog;
import dev.execserver.server.process.output.OutputPump;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * State of one process. Decides when its exit and its close are reported.
 *
 * <p>The states: STARTING, RUNNING, EXITED (the leader was reaped and the output written before that was read) and
 * CLOSED (the streams have ended too); or FAILED instead of all after STARTING. So the {@link OutputLog} holds: output,
 * the exit after all output from before it, perhaps more output of descendants, the close.
 *
 * <p>Threads: the starting request, the pumps, the exit watcher, requests that end the process. {@code lock} guards the
 * fields and is taken before the lock of the log, never the other way round.
 */
public final class Lifecycle implements OutputPump.Owner {

    private enum Phase {
        STARTING,
        RUNNING,
        EXITED,
        CLOSED,
        FAILED
    }

    /** Receives the changes of the state. Called without the lock. */
    interface Listener {
        /** Output was added to the log, and {@link #eventsAdded} follows. Must not wait. */
        void outputAdded();

        /** Events were added to the log. */
        void eventsAdded();

        /** The exit was reported, the close was not yet. */
        void exited();

        /** The close, the last event, was reported. */
        void closed();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch exitSeen = new CountDownLatch(1);
    private final CountDownLatch closeSeen = new CountDownLatch(1);
    private final OutputLog log;
    private final Listener listener;
    private final List<OutputPump> open = new ArrayList<>();
    private final List<OutputPump> undrained = new ArrayList<>();
    private Phase phase = Phase.STARTING;
    private boolean cancelled;
    private boolean dropStreams;
    private Optional<Exit> pendingExit = Optional.empty();
    private volatile Optional<DenialScan> denials = Optional.empty();
    private Optional<String> endReason = Optional.empty();
    private Optional<String> closeReason = Optional.empty();
    private final CommandClock clock;
    private volatile long lastOutputNanos;
    private final LongAdder outputBytes = new LongAdder();

    /** @param clock of the time limits */
    Lifecycle(OutputLog log, Listener listener, CommandClock clock) {
        this.log = log;
        this.listener = listener;
        this.clock = clock;
        this.lastOutputNanos = clock.nanos();
    }

    // ---- start

    /**
     * Enters RUNNING: the program runs and these pumps read its output.
     *
     * @param scan searches its output for denials; empty if the program is not confined
     */
    void running(List<OutputPump> pumps, Optional<DenialScan> scan) {
        denials = scan;
        lock.lock();
        try {
            phase = Phase.RUNNING;
            open.addAll(pumps);
            undrained.addAll(pumps);
            lastOutputNanos = clock.nanos();
        } finally {
            lock.unlock();
        }
    }

    void failed() {
        lock.lock();
        try {
            phase = Phase.FAILED;
        } finally {
            lock.unlock();
        }
        started.countDown();
    }

    /** Wakes the threads that wait for the start. */
    void startComplete() {
        started.countDown();
    }

    /** Returns true if the start has succeeded, false if it failed, empty while it goes on. */
    Optional<Boolean> started() {
        return started.getCount() == 0 ? Optional.of(succeeded()) : Optional.empty();
    }

    /** Waits until the start has succeeded or failed. Returns false if it failed. */
    boolean awaitStarted() throws InterruptedException {
        started.await();
        return succeeded();
    }

    private boolean succeeded() {
        lock.lock();
        try {
            return phase != Phase.FAILED;
        } finally {
            lock.unlock();
        }
    }

    /** Cancels a start that goes on. Returns false if there is none. */
    boolean cancelStart() {
        lock.lock();
        try {
            cancelled |= phase == Phase.STARTING;
            return phase == Phase.STARTING;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a start that goes on has succeeded or failed, however long a file system delays it. Ignores
     * interrupts.
     */
    void awaitStartEnd() {
        boolean interrupted = false;
        while (true) {
            try {
                started.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public boolean cancelled() {
        lock.lock();
        try {
            return cancelled;
        } finally {
            lock.unlock();
        }
    }

    // ---- what pumps and the exit watcher report

    @Override
    public void outputAppended(EventKind kind, byte[] chunk) {
        outputBytes.add(chunk.length);
        denials.ifPresent(scan -> scan.saw(kind, chunk));
        lastOutputNanos = clock.nanos();
        listener.outputAdded();
    }

    @Override
    public void tellOutput() {
        listener.eventsAdded();
    }

    long outputBytes() {
        return outputBytes.sum();
    }

    /** Returns the time of the last output by the clock of the time limits. */
    long lastOutputNanos() {
        return lastOutputNanos;
    }

    @Override
    public void drained(OutputPump pump) {
        lock.lock();
        try {
            undrained.remove(pump);
        } finally {
            lock.unlock();
        }
        advance();
    }

    @Override
    public void ended(OutputPump pump) {
        lock.lock();
        try {
            undrained.remove(pump);
            open.remove(pump);
        } finally {
            lock.unlock();
        }
        advance();
    }

    /**
     * Reports that the leader was reaped.
     *
     * @param details with the last refusal of its proxy; its last output may reveal another denial
     */
    void reaped(int code, ExitDetails details) {
        List<OutputPump> pumps;
        OutputPump.Ending ending;
        lock.lock();
        try {
            pendingExit = Optional.of(new Exit(code, endReason, false, details));
            pumps = List.copyOf(open);
            ending = dropStreams ? OutputPump.Ending.STOP : OutputPump.Ending.REPORT;
        } finally {
            lock.unlock();
        }
        pumps.forEach(pump -> pump.expectEnd(ending));
        advance();
    }

    /** Reports the exit and the close when they are due. */
    private void advance() {
        boolean exited = false;
        boolean closed = false;
        lock.lock();
        try {
            if (phase == Phase.RUNNING && pendingExit.isPresent() && undrained.isEmpty()) {
                phase = Phase.EXITED;
                log.exited(judged(pendingExit.get()));
                exited = true;
            }
            if (phase == Phase.EXITED && open.isEmpty()) {
                phase = Phase.CLOSED;
                log.closed(closeReason);
                closed = true;
            }
        } finally {
            lock.unlock();
        }
        tell(exited, closed);
    }

    /**
     * Adds the verdict about a denial. All output from before the exit was read and scanned by now. A file that the output names
     * tells more than the last refusal of the proxy; that tells more than an output about a network.
     */
    private Exit judged(Exit exit) {
        Optional<DenialScan> scan = denials.filter(looked -> looked.denied(exit.code()));
        Optional<Denial> seen = scan.flatMap(looked -> looked.denial(exit.code()));
        Optional<Denial> best = seen.filter(denial -> denial.path().isPresent())
                .or(exit.details()::denial)
                .or(() -> seen);
        return new Exit(
                exit.code(), exit.reason(), scan.isPresent(), exit.details().withDenial(best));
    }

    private void tell(boolean exited, boolean closed) {
        if (exited || closed) {
            listener.eventsAdded();
        }
        if (exited) {
            exitSeen.countDown();
        }
        if (closed) {
            closeSeen.countDown();
            listener.closed();
        } else if (exited) {
            listener.exited();
        }
    }

    // ---- the end

    /** Returns true if the program runs and its leader was not yet reaped. */
    boolean leaderAlive() {
        lock.lock();
        try {
            return phase == Phase.RUNNING && pendingExit.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Records the reason for which the server is about to end the process. The exit reports it. */
    void endBecause(String reason) {
        lock.lock();
        try {
            if (pendingExit.isEmpty()) {
                endReason = Optional.of(reason);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives up the streams once the leader is reaped, because the whole tree is being killed and no other holder of
     * them matters.
     */
    void dropStreamsAtExit() {
        lock.lock();
        try {
            dropStreams = true;
        } finally {
            lock.unlock();
        }
    }

    /** Reads the output that is there and then closes the streams, even if other processes hold their other ends. */
    void letGoOfStreams(Optional<String> reason) {
        List<OutputPump> pumps;
        lock.lock();
        try {
            if (phase == Phase.CLOSED) {
                return;
            }
            closeReason = reason;
            pumps = List.copyOf(open);
        } finally {
            lock.unlock();
        }
        pumps.forEach(pump -> pump.expectEnd(OutputPump.Ending.STOP));
    }

    /** Waits for the exit event. Returns true if it has come or the thread was interrupted. */
    public boolean awaitExited(long nanos) {
        return await(exitSeen, nanos);
    }

    /** Waits for the closed event. Returns true if it has come or the thread was interrupted. */
    public boolean awaitClosed(long nanos) {
        return await(closeSeen, nanos);
    }

    private static boolean await(CountDownLatch event, long nanos) {
        try {
            return event.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true; // the server stops: the caller has nothing more to do
        }
    }
}
