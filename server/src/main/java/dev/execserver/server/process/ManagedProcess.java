package dev.execserver.server.process;

import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.TerminalSize;
import dev.execserver.protocol.process.WriteStatus;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ClosedException;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.PtyPair;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.outbound.Outbound;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One process of a session, from the moment its id is reserved until it is forgotten.
 *
 * <p>STARTING, then RUNNING, EXITED (the leader was reaped, and what it had written was read) and CLOSED (its streams have
 * ended too); or FAILED instead of all that. Events reach the {@link OutputLog} in this order: output, exit after all
 * output that was there at the exit, close last.
 *
 * <p>Threads: the reader thread of the connection queues input; request threads read, signal and end it; its pumps and its
 * exit watcher report here. {@code lock} guards the phase and the list of pumps, and is taken before the log's lock, never
 * the other way round.
 */
public final class ManagedProcess implements OutputPump.Owner {

    /** After a resume, the time that the client has for its catch-up read before events are pushed all the same. */
    private static final Duration CATCH_UP = Duration.ofSeconds(1);

    /** After a resume, the time during which no more is pushed than the client can park. */
    private static final Duration MERGE = Duration.ofSeconds(4);

    private enum Phase {
        STARTING,
        RUNNING,
        EXITED,
        CLOSED,
        FAILED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch exitSeen = new CountDownLatch(1);
    private final CountDownLatch closeSeen = new CountDownLatch(1);
    private final StartParams params;
    private final ProcessServices services;
    private final Consumer<ManagedProcess> onClosed;
    private final OutputLog log;
    private final StdinQueue stdin;
    private final EventEncoder encoder;
    private final Instant startedAt = Instant.now();
    private final List<OutputPump> open = new ArrayList<>();
    private final List<OutputPump> undrained = new ArrayList<>();
    private Phase phase = Phase.STARTING;
    private boolean cancelled;
    private Optional<Exit> pendingExit = Optional.empty();
    private Optional<String> endReason = Optional.empty();
    private Optional<String> closeReason = Optional.empty();
    private boolean dropStreams;
    private volatile Child child;
    private volatile PtyPair terminal;
    private volatile EventPush events;
    private volatile long lastOutputNanos = System.nanoTime();

    /** @param onClosed told when the last event is out, by the thread that emitted it */
    public ManagedProcess(StartParams params, ProcessServices services, Consumer<ManagedProcess> onClosed) {
        this.params = params;
        this.services = services;
        this.onClosed = onClosed;
        this.log = new OutputLog(services.retention(), params.options().push(), services.files());
        this.stdin = new StdinQueue(
                params.processId(),
                params.tty() || params.pipeStdin(),
                params.tty(),
                services.stdinQueueBytes(),
                services.buffers());
        this.encoder = new EventEncoder(params.processId());
    }

    public String processId() {
        return params.processId();
    }

    StartParams params() {
        return params;
    }

    OutputLog log() {
        return log;
    }

    // ---- start

    /** The program runs. Pumps and the exit watcher take over; events are pushed only after {@link #attach}. */
    void running(Child spawned, Optional<PtyPair> pty) {
        List<OutputPump> pumps = new ArrayList<>();
        if (pty.isPresent()) {
            pumps.add(pump(spawned.stdout(), EventKind.PTY));
        } else {
            pumps.add(pump(spawned.stdout(), EventKind.STDOUT));
            spawned.stderr().ifPresent(fd -> pumps.add(pump(fd, EventKind.STDERR)));
        }
        boolean kill;
        lock.lock();
        try {
            child = spawned;
            terminal = pty.orElse(null);
            phase = Phase.RUNNING;
            open.addAll(pumps);
            undrained.addAll(pumps);
            kill = cancelled;
            lastOutputNanos = System.nanoTime();
        } finally {
            lock.unlock();
        }
        spawned.stdin().ifPresent(stdin::connect);
        pumps.forEach(pump -> Threads.virtual("pump", pump));
        Threads.virtual("exit", this::watchExit);
        started.countDown();
        if (kill) {
            killTree();
        }
        Deadlines.watch(this);
    }

    private OutputPump pump(AsyncFd fd, EventKind kind) {
        return new OutputPump(fd, kind, services.buffers(), log, this);
    }

    /** The start failed; whoever waited for it is told that there is no such process. */
    public void failed() {
        lock.lock();
        try {
            phase = Phase.FAILED;
        } finally {
            lock.unlock();
        }
        stdin.shut();
        log.free();
        started.countDown();
    }

    /** Waits until the start has succeeded or failed; false when it failed. */
    public boolean awaitStarted() throws InterruptedException {
        started.await();
        lock.lock();
        try {
            return phase != Phase.FAILED;
        } finally {
            lock.unlock();
        }
    }

    boolean cancelled() {
        lock.lock();
        try {
            return cancelled;
        } finally {
            lock.unlock();
        }
    }

    // ---- what the kernel tells

    private void watchExit() {
        ExitStatus status = child.awaitExit();
        stdin.shut();
        List<OutputPump> waitFor;
        lock.lock();
        try {
            pendingExit = Optional.of(new Exit(status.code(), endReason));
            waitFor = List.copyOf(open);
        } finally {
            lock.unlock();
        }
        waitFor.forEach(pump -> pump.expectEnd(dropsStreams() ? OutputPump.Ending.STOP : OutputPump.Ending.REPORT));
        advance();
    }

    private boolean dropsStreams() {
        lock.lock();
        try {
            return dropStreams;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void outputAppended() {
        lastOutputNanos = System.nanoTime();
        push();
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

    /** Emits the exit and the close when their time has come. */
    private void advance() {
        boolean exited = false;
        boolean closed = false;
        lock.lock();
        try {
            if (phase == Phase.RUNNING && pendingExit.isPresent() && undrained.isEmpty()) {
                phase = Phase.EXITED;
                log.exited(pendingExit.get());
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
        if (exited || closed) {
            push();
        }
        if (exited) {
            exitSeen.countDown();
        }
        if (closed) {
            closeSeen.countDown();
            onClosed.accept(this);
        } else if (exited) {
            Deadlines.closeAfterGrace(this);
        }
    }

    // ---- requests

    /** Queues input without waiting. */
    public WriteStatus write(byte[] bytes, Optional<String> writeId) {
        return stdin.write(bytes, writeId);
    }

    /** Ends the input after everything that is queued. */
    public WriteStatus closeStdin() {
        return stdin.closeInput();
    }

    /** Sends a signal to the process group; nothing happens when the process is not there any more. */
    public void signal(int number) {
        Child target = child;
        if (target != null && !target.exited()) {
            boolean _ = target.signalGroup(number); // false: it ended in this moment
        }
    }

    /** Sets the window size; the kernel tells the program with SIGWINCH. */
    public void resize(TerminalSize size) {
        PtyPair pty = terminal;
        if (pty == null) {
            throw RpcException.invalidRequest("process " + processId() + " has no terminal to resize");
        }
        try {
            pty.resize(size.rows(), size.cols());
        } catch (ClosedException e) {
            throw RpcException.invalidRequest("process " + processId() + " has closed its terminal");
        }
    }

    /** {@code process/read}: waits as long as asked, then returns what is there. */
    public ReadResult read(ReadParams wanted, BooleanSupplier cancelled) throws InterruptedException {
        if (wanted.waitMs() > 0) {
            log.await(wanted.afterSeq(), TimeUnit.MILLISECONDS.toNanos(wanted.waitMs()), cancelled);
        }
        LogSlice slice = log.read(wanted.afterSeq(), wanted.maxBytes().orElse(-1));
        return ReadResults.of(slice);
    }

    /**
     * Ends the whole tree: the leader, its group, and descendants wherever they went. The death itself is not waited for.
     *
     * @param graceMs time between SIGTERM and SIGKILL; 0 kills at once
     * @return whether anything was alive
     */
    public boolean terminate(long graceMs) {
        boolean alive;
        lock.lock();
        try {
            if (phase == Phase.STARTING) {
                cancelled = true;
                return true;
            }
            alive = pendingExit.isEmpty() && phase == Phase.RUNNING;
        } finally {
            lock.unlock();
        }
        Child target = child;
        if (target == null) {
            return false;
        }
        alive = alive || services.tree().anyAlive(target);
        if (alive) {
            Threads.virtual("terminate", () -> Deadlines.endWithGrace(this, graceMs));
        }
        return alive;
    }

    /** SIGTERM, then up to {@code grace} for the exit; what is left is killed by {@link #discard}. */
    public void terminateAndWait(Duration grace) {
        signal(Deadlines.SIGTERM);
        boolean _ = awaitExited(grace.toNanos());
    }

    /** Ends the tree because a limit of its own was reached. */
    void end(String reason) {
        lock.lock();
        try {
            if (pendingExit.isEmpty()) {
                endReason = Optional.of(reason);
            }
        } finally {
            lock.unlock();
        }
        killTree();
    }

    /** Kills everything that belongs to the process and lets go of its streams once they are read. */
    void killTree() {
        Child target = child;
        if (target == null) {
            return;
        }
        lock.lock();
        try {
            dropStreams = true;
        } finally {
            lock.unlock();
        }
        boolean _ = services.tree().kill(target); // false: all were dead already
        if (target.exited()) {
            letGoOfStreams(Optional.empty());
        }
    }

    /** Whoever still holds the other ends is no business of ours any more. */
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

    /** Waits for the exit event; true when it has come. */
    boolean awaitExited(long nanos) {
        return await(exitSeen, nanos);
    }

    /** Waits for the closed event; true when it has come. */
    boolean awaitClosed(long nanos) {
        return await(closeSeen, nanos);
    }

    private static boolean await(CountDownLatch event, long nanos) {
        try {
            return event.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true; // the server stops: whoever waited has nothing more to do
        }
    }

    boolean exited() {
        Child target = child;
        return target != null && target.exited();
    }

    long lastOutputNanos() {
        return lastOutputNanos;
    }

    /** Row of {@code process/list}. */
    public ProcessInfo describe() {
        Optional<Exit> exit = log.exit();
        Child target = child;
        return new ProcessInfo(
                processId(),
                target == null ? OptionalLong.empty() : OptionalLong.of(target.pid()),
                params.argv(),
                params.cwd(),
                params.tty(),
                target != null && exit.isEmpty(),
                exit.isPresent(),
                exit.isPresent() ? OptionalInt.of(exit.get().code()) : OptionalInt.empty(),
                log.isClosed(),
                log.nextSeq(),
                startedAt.toEpochMilli());
    }

    // ---- the attached connection

    /** The connection that started the process is told its events; {@link #push} starts that. */
    public void attach(Outbound connection) {
        events = new EventPush(log, encoder, connection, log.attach());
    }

    /** Another connection has taken over the session. Events are held until it has read what it missed. */
    public void resume(Outbound connection) {
        events = new EventPush(log, encoder, connection, log.resume());
        services.timers().after(CATCH_UP, "resume", () -> {
            log.stopHolding();
            push();
        });
        services.timers().after(MERGE, "resume", () -> {
            log.openGate();
            push();
        });
    }

    /** A read was answered: whoever resumed may now be told what comes after it. */
    public void caughtUp(ReadResult answer) {
        log.caughtUp(answer.nextSeq() - 1);
        push();
    }

    public void detach() {
        events = null;
        log.detach();
    }

    /** Sends what there is to send, if anybody is there to take it. */
    public void push() {
        EventPush current = events;
        if (current != null) {
            current.push();
        }
    }

    // ---- end

    /** Ends the process, if it has not ended, and drops what it said. */
    public void discard() {
        boolean wasStarting;
        lock.lock();
        try {
            wasStarting = phase == Phase.STARTING;
            cancelled = true;
        } finally {
            lock.unlock();
        }
        detach();
        if (!wasStarting) {
            killTree();
        }
        log.free();
    }
}
