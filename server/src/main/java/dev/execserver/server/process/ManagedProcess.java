package dev.execserver.server.process;

import dev.execserver.protocol.process.ExecPolicyParams;
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
import dev.execserver.server.exec.CommandClock;
import dev.execserver.server.exec.CommandExecs;
import dev.execserver.server.exec.RememberedAnswers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.InputMemory;
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
 * One process of a session, from the reservation of its id until it is forgotten; the methods serve requests.
 *
 * <p>{@link Lifecycle} keeps its state, {@link OutputLog} its output, {@link StdinQueue} its input. The connection's
 * reader thread queues input; request threads and the clock call everything else. The fields that change are volatile
 * and written once for each start or attachment; there is no lock here.
 */
public final class ManagedProcess implements Lifecycle.Listener {

    /** Time after a kill for the exit and the close to come. Only the clean-up of a sandbox may take longer. */
    private static final Duration CLOSE_AFTER_KILL = Duration.ofSeconds(3);

    /** Time that the client has, when the server stops, to take the events that it has not received. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(3);

    private volatile StartParams params;
    private final ProcessServices services;
    private final InputMemory memory;
    private final Consumer<ManagedProcess> onClosed;
    private final OutputLog log;
    private final Lifecycle lifecycle;
    private final StdinQueue stdin;
    private final ProcessNetwork network;
    private final ApprovalLink approvals;
    private final RememberedAnswers answers;
    private final CommandClock clock = new CommandClock();
    private final ClientLink link;
    private final GracefulEnd gracefulEnd;
    private final Instant startedAt = Instant.now();
    private volatile StartedProgram program;

    /**
     * Reserves server memory for the process's record; {@link #failed}, {@link #discard} and {@link #release} free it.
     *
     * @param onClosed called when the last event is in the log, by the thread that added it
     * @param client sends requests to the client of the session
     * @param answers of that client about programs, for all processes of the session
     * @throws RpcException -32603 with {@code data.reason = "inputMemory"}
     */
    public ManagedProcess(
            StartParams params,
            ProcessServices services,
            Consumer<ManagedProcess> onClosed,
            ClientRequests client,
            RememberedAnswers answers) {
        this.params = params;
        this.services = services;
        this.memory = new InputMemory(services.input());
        memory.reserve(RecordSize.bytes(params), "process " + params.processId());
        this.onClosed = onClosed;
        this.log = new OutputLog(services.retention(), params.options().push(), params.tty(), services.files());
        this.lifecycle = new Lifecycle(log, this, clock);
        this.stdin = new StdinQueue(
                params.processId(),
                params.tty() || params.pipeStdin(),
                params.tty(),
                services.stdinQueueBytes(),
                memory,
                services.buffers());
        this.network = new ProcessNetwork(params.processId(), client);
        this.approvals = new ApprovalLink(params.processId(), client);
        this.answers = answers;
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

    /** The clock of its time limits. */
    CommandClock clock() {
        return clock;
    }

    /**
     * Opens the interception of its programs if it has rules, its own or the operator's.
     *
     * @throws RpcException if they cannot be enforced or read, or take more memory than is left
     */
    Optional<CommandExecs> openExecs() {
        Optional<ExecPolicyParams> policy = params.options().execPolicy();
        if (!services.execs().wanted(policy)) {
            return Optional.empty();
        }
        CommandExecs opened = services.execs().open(processId(), policy, approvals, clock, answers);
        memory.reserve(opened.bytes(), "rules of process " + processId());
        return Optional.of(opened);
    }

    // ---- start

    /** Starts the pumps and the exit watcher of the running program. Events are pushed only after {@link #attach}. */
    void running(Child spawned, Optional<PtyPair> pty, Optional<CommandLimits> limits) {
        ExitWork work = new ExitWork(services, processId(), Optional.empty(), limits);
        running(new StartedProgram(spawned, pty, Optional.empty(), services.tree()), Optional.empty(), work);
    }

    /** Called when the program runs in a sandbox; otherwise as above. */
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
            killTree(); // before threads that wait for this start go on: a server that stops closes the spawner
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

    /** Called when the start has failed. Requests that waited for it learn that there is no such process. */
    public void failed() {
        stdin.shut();
        free();
        lifecycle.failed();
    }

    private void free() {
        network.close();
        approvals.close();
        log.free();
        memory.close();
    }

    /** Returns true if the start has succeeded, false if it failed, empty while it goes on. */
    public Optional<Boolean> started() {
        return lifecycle.started();
    }

    /** Waits until the start has succeeded or failed. Returns false if it failed. */
    public boolean awaitStarted() throws InterruptedException {
        return lifecycle.awaitStarted();
    }

    // ---- requests

    /** Carries out {@code process/read}: waits up to the requested time, then returns the events after the cursor. */
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

    /** Ends the input behind everything that is queued. */
    public WriteStatus closeStdin() {
        return stdin.closeInput();
    }

    /** Sends a signal to the process group, or to the foreground job of its terminal. Does nothing after the end. */
    public void signal(int number, boolean foreground) {
        StartedProgram target = program;
        if (target != null && foreground) {
            target.signalForeground(number, processId());
        } else if (target != null) {
            target.signal(number);
        }
    }

    /** Sets the window size. The kernel sends SIGWINCH to the program. */
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

    /** Returns the row of the process in {@code process/list}. */
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

    /** Attaches the connection that started the process. {@link #push} begins to send events. */
    public void attach(Outbound connection) {
        link.attach(connection);
        network.attach(connection);
        approvals.attach(connection);
    }

    /** Attaches the connection that has taken over. Holds events until it has read the missed ones or its time is over. */
    public void resume(Outbound connection, AttachmentReads resume) {
        link.resume(connection, resume);
        network.attach(connection);
        approvals.attach(connection);
    }

    /** Reports the answer of a read. If this connection resumed the session, it may now get the events that follow. */
    public void caughtUp(Outbound connection, ReadResult answer) {
        link.caughtUp(connection, answer);
    }

    public void detach() {
        link.detach();
        network.detach();
        approvals.detach();
    }

    /** Returns true if an event that is pushed was not yet written to a connection. */
    public boolean pushesStill() {
        return log.pushesStill();
    }

    /** Returns true if no read since the last resume has returned the last output and the close. */
    public boolean unread() {
        return log.unread();
    }

    /** Sends waiting events if a connection is attached. */
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

    /** Cancels a start that goes on, also one that waits for an answer of the client. Returns false if there is none. */
    private boolean cancelStart() {
        boolean cancelled = lifecycle.cancelStart();
        if (cancelled) {
            approvals.close();
        }
        return cancelled;
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
     * Ends the process because the server stops: SIGTERM, up to {@code grace} for the exit, SIGKILL for the rest.
     * Returns when the client has received the last output, the exit and the close, or did not take them in time.
     * Cancels a start that goes on.
     */
    public void shutDown(Duration grace) {
        if (cancelStart()) {
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

    /** Kills the tree because the process has reached one of its own limits. */
    void end(String reason) {
        lifecycle.endBecause(reason);
        killTree();
    }

    /** Kills all processes of the tree and closes the streams once they are read. */
    void killTree() {
        StartedProgram target = program;
        if (target == null) {
            return;
        }
        lifecycle.dropStreamsAtExit();
        boolean _ = services.tree().kill(target.child()); // false: a process of another user lives on
        if (target.child().exited()) {
            lifecycle.letGoOfStreams(Optional.empty());
        }
    }

    /** Kills the process if it has not ended, and drops its output. Cancels a start that goes on and waits for its end. */
    public void discard() {
        detach();
        if (cancelStart()) {
            lifecycle.awaitStartEnd();
        }
        killTree();
        free();
    }

    /** Calls {@link #release} if the process has closed, {@link #discard} otherwise. */
    public void finish() {
        if (log.isClosed()) {
            release();
        } else {
            discard();
        }
    }

    /** Drops the output of a closed process. Daemons that it left behind live on. */
    public void release() {
        detach();
        free();
    }
}
