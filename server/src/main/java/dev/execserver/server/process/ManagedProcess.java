package dev.execserver.server.process;

import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.TerminalSize;
import dev.execserver.protocol.process.WriteStatus;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.limits.CommandLimits;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ClosedException;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.PtyPair;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.KeptMemory;
import dev.execserver.server.outbound.Outbound;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One process of a session, from the moment its id is reserved until it is forgotten: what requests can do with it.
 *
 * <p>Where it stands is kept by its {@link Lifecycle}, what it says by its {@link OutputLog}, what it is told by its
 * {@link StdinQueue}. The reader thread of the connection queues input; everything else is called by request threads and
 * the clock. The fields that change are volatile and written once per start or attachment; there is no lock here.
 */
public final class ManagedProcess implements Lifecycle.Listener {

    /** After a kill, the time in which the exit and the close can be told; longer only while a sandbox is cleaned up. */
    private static final Duration CLOSE_AFTER_KILL = Duration.ofSeconds(3);

    /** When the server stops, the time in which the client takes what it was not told yet. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(3);

    private volatile StartParams params;
    private final ProcessServices services;
    private final KeptMemory memory;
    private final Consumer<ManagedProcess> onClosed;
    private final OutputLog log;
    private final Lifecycle lifecycle;
    private final StdinQueue stdin;
    private final ProcessNetwork network;
    private final ClientLink link;
    private final GracefulEnd gracefulEnd;
    private final Instant startedAt = Instant.now();
    private volatile StartedProgram program;

    /**
     * Takes what is remembered of a process from the server's memory; {@link #failed}, {@link #discard} or {@link #release}
     * give it back.
     *
     * @param onClosed told when the last event is out, by the thread that emitted it
     * @param client asks the client of the session
     * @throws RpcException -32603 with {@code data.reason = "inputMemory"}
     */
    public ManagedProcess(
            StartParams params, ProcessServices services, Consumer<ManagedProcess> onClosed, ClientRequests client) {
        this.params = params;
        this.services = services;
        this.memory = new KeptMemory(services.input());
        memory.reserve(Remembered.bytes(params), "process " + params.processId());
        this.onClosed = onClosed;
        this.log = new OutputLog(services.retention(), params.options().push(), params.tty(), services.files());
        this.lifecycle = new Lifecycle(log, this);
        this.stdin = new StdinQueue(
                params.processId(),
                params.tty() || params.pipeStdin(),
                params.tty(),
                services.stdinQueueBytes(),
                memory,
                services.buffers());
        this.network = new ProcessNetwork(params.processId(), client);
        this.link = new ClientLink(log, new EventEncoder(params.processId()), new ResumePlans(services.timers()));
        this.gracefulEnd = new GracefulEnd(services.timers(), this::killTree);
    }

    public String processId() {
        return params.processId();
    }

    StartParams params() {
        return params;
    }

    ProcessNetwork network() {
        return network;
    }

    Lifecycle lifecycle() {
        return lifecycle;
    }

    // ---- start

    /** The program runs: pumps and the exit watcher take over. Events are pushed only after {@link #attach}. */
    void running(Child spawned, Optional<PtyPair> pty, Optional<CommandLimits> limits) {
        ExitWork work = new ExitWork(services, processId(), Optional.empty(), limits);
        running(new StartedProgram(spawned, pty, Optional.empty(), services.tree()), Optional.empty(), work);
    }

    /** As above, in a sandbox. */
    void running(SandboxRun run, Optional<PtyPair> pty, DenialScan scan, Optional<CommandLimits> limits) {
        ExitWork work = new ExitWork(services, processId(), Optional.of(run), limits);
        running(
                new StartedProgram(run.child(), pty, Optional.of(run), services.tree()),
                Optional.of(scan).filter(_ -> run.confines()),
                work);
    }

    private void running(StartedProgram started, Optional<DenialScan> scan, ExitWork work) {
        Child spawned = started.child();
        List<OutputPump> pumps = new ArrayList<>();
        pumps.add(pump(spawned.stdout(), started.terminal().isPresent() ? EventKind.PTY : EventKind.STDOUT));
        spawned.stderr().ifPresent(fd -> pumps.add(pump(fd, EventKind.STDERR)));
        params = params.remembered();
        program = started;
        lifecycle.running(pumps, scan);
        spawned.stdin().ifPresent(stdin::connect);
        pumps.forEach(pump -> Threads.virtual("pump", pump));
        Threads.virtual("exit", () -> watchExit(started, work));
        if (lifecycle.cancelled()) {
            killTree(); // before anybody who waits for this start goes on: a server that stops takes the means away
        }
        lifecycle.startComplete();
        Deadlines.watch(this);
    }

    private OutputPump pump(AsyncFd fd, EventKind kind) {
        return new OutputPump(fd, kind, services.buffers(), log, lifecycle);
    }

    private void watchExit(StartedProgram ended, ExitWork work) {
        ExitStatus exit = ended.child().awaitExit();
        int code = ended.exitCode(exit);
        stdin.shut();
        ExitDetails details = work.finish(exit);
        if (work.outOfMemory()) {
            lifecycle.endBecause("memory");
        }
        lifecycle.reaped(code, services.dialect().open() ? details : ExitDetails.NONE);
        work.release();
    }

    /** The start failed; whoever waited for it is told that there is no such process. */
    public void failed() {
        stdin.shut();
        free();
        lifecycle.failed();
    }

    private void free() {
        network.close();
        log.free();
        memory.close();
    }

    /** Whether the start has succeeded; empty while it is under way. */
    public Optional<Boolean> started() {
        return lifecycle.started();
    }

    /** Waits until the start has succeeded or failed; false when it failed. */
    public boolean awaitStarted() throws InterruptedException {
        return lifecycle.awaitStarted();
    }

    // ---- requests

    /** {@code process/read}: waits as long as asked, then returns what is there. */
    public ReadResult read(ReadParams wanted, AnswerMemory answer, BooleanSupplier cancelled)
            throws InterruptedException {
        if (wanted.waitMs() > 0) {
            log.await(wanted.afterSeq(), TimeUnit.MILLISECONDS.toNanos(wanted.waitMs()), cancelled);
        }
        return ReadResults.of(log.read(wanted.afterSeq(), wanted.maxBytes().orElse(-1), answer));
    }

    /** Queues input without waiting. */
    public WriteStatus write(byte[] bytes, Optional<String> writeId) {
        return stdin.write(bytes, writeId);
    }

    /** Ends the input after everything that is queued. */
    public WriteStatus closeStdin() {
        return stdin.closeInput();
    }

    /** Sends a signal to the process group, or to the job in the foreground of its terminal; nothing happens after the end. */
    public void signal(int number, boolean foreground) {
        StartedProgram target = program;
        if (target != null && foreground) {
            target.signalForeground(number, processId());
        } else if (target != null) {
            target.signal(number);
        }
    }

    /** Sets the window size; the kernel tells the program with SIGWINCH. */
    public void resize(TerminalSize size) {
        PtyPair pty = Optional.ofNullable(program)
                .flatMap(StartedProgram::terminal)
                .orElseThrow(
                        () -> RpcException.invalidRequest("process " + processId() + " has no terminal to resize"));
        try {
            pty.resize(size.rows(), size.cols());
        } catch (ClosedException e) {
            throw RpcException.invalidRequest("process " + processId() + " has closed its terminal");
        }
    }

    /** Row of {@code process/list}. */
    public ProcessInfo describe() {
        Optional<Exit> exit = log.exit();
        StartedProgram target = program;
        return new ProcessInfo(
                processId(),
                target == null
                        ? OptionalLong.empty()
                        : OptionalLong.of(target.child().pid()),
                params.argv(),
                params.cwd(),
                params.tty(),
                target != null && exit.isEmpty(),
                target != null && target.stopped(),
                exit.isPresent(),
                exit.isPresent() ? OptionalInt.of(exit.get().code()) : OptionalInt.empty(),
                log.isClosed(),
                log.nextSeq(),
                startedAt.toEpochMilli());
    }

    // ---- the attached connection

    /** The connection that started the process is told its events; {@link #push} starts that. */
    public void attach(Outbound connection) {
        link.attach(connection);
        network.attach(connection);
    }

    /** Another connection has taken over the session. Events are held until it has read what it missed, or had the time to. */
    public void resume(Outbound connection, Resume resume) {
        link.resume(connection, resume);
        network.attach(connection);
    }

    /** A read of this connection was answered: if it is the one that resumed, it may be told what comes after that. */
    public void caughtUp(Outbound connection, ReadResult answer) {
        link.caughtUp(connection, answer);
    }

    public void detach() {
        link.detach();
        network.detach();
    }

    /** Returns true if something that is pushed was not yet written to a connection. */
    public boolean pushesStill() {
        return log.pushesStill();
    }

    /** Returns true if no read was answered with the last output and the close since the last resume. */
    public boolean unread() {
        return log.unread();
    }

    /** Sends what there is to send, if anybody is there to take it. */
    public void push() {
        link.push();
    }

    @Override
    public void outputAdded() {
        link.announce();
    }

    @Override
    public void eventsAdded() {
        link.push();
    }

    @Override
    public void exited() {
        gracefulEnd.leaderGone();
        Deadlines.closeAfterGrace(this);
    }

    @Override
    public void closed() {
        gracefulEnd.leaderGone();
        network.closeWith(() -> program.anyAlive(), services.timers());
        onClosed.accept(this);
    }

    // ---- end

    /**
     * Ends the whole tree: the leader, its group, and descendants wherever they went. The death itself is not waited for.
     *
     * @param graceMs time between SIGTERM and SIGKILL; 0 kills at once
     * @return whether anything was alive, or starting
     */
    public boolean terminate(long graceMs) {
        if (lifecycle.cancelStart()) {
            return true;
        }
        StartedProgram target = program;
        if (target == null) {
            return false;
        }
        boolean alive = lifecycle.leaderAlive() || target.anyAlive();
        if (alive) {
            if (graceMs > 0) {
                target.askToEnd();
            }
            gracefulEnd.within(Duration.ofMillis(Math.max(0, graceMs)));
        }
        return alive;
    }

    /**
     * The server stops: SIGTERM, up to {@code grace} for the exit, SIGKILL to what is left. Returns when the client was told the
     * last output, the exit and the close, or did not take them in time. A start under way is called off.
     */
    public void shutDown(Duration grace) {
        if (lifecycle.cancelStart()) {
            return;
        }
        boolean ends = !log.isClosed();
        link.hurry();
        if (grace.isPositive() && lifecycle.leaderAlive()) {
            program.askToEnd();
            boolean _ = lifecycle.awaitExited(grace.toNanos());
        }
        killTree();
        boolean _ = lifecycle.awaitClosed(CLOSE_AFTER_KILL.toNanos());
        log.awaitTold(ends, LAST_WORDS);
    }

    /** Ends the tree because a limit of its own was reached. */
    void end(String reason) {
        lifecycle.endBecause(reason);
        killTree();
    }

    /** Kills everything that belongs to the process and lets go of its streams once they are read. */
    void killTree() {
        StartedProgram target = program;
        if (target == null) {
            return;
        }
        lifecycle.dropStreamsAtExit();
        boolean _ =
                services.tree().kill(target.child()); // false: something of another user is left; streams are let go
        if (target.child().exited()) {
            lifecycle.letGoOfStreams(Optional.empty());
        }
    }

    /** Ends the process, if it has not ended, and drops what it said. A start under way is waited for and undone. */
    public void discard() {
        detach();
        if (lifecycle.cancelStart()) {
            lifecycle.awaitStartEnd();
        }
        killTree();
        free();
    }

    /** Ends the process if it has not closed; {@link #release} otherwise. */
    public void finish() {
        if (log.isClosed()) {
            release();
        } else {
            discard();
        }
    }

    /** Drops what a closed process said. Daemons that it left behind are none of a closed process's business. */
    public void release() {
        detach();
        free();
    }
}
