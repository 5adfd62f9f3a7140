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
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.limits.CommandLimits;
import dev.execserver.sandbox.limits.SessionGroup;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.exec.CommandClock;
import dev.execserver.server.exec.CommandExecs;
import dev.execserver.server.exec.ExecStyle;
import dev.execserver.server.exec.RememberedAnswers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.InputMemory;
import dev.execserver.server.process.client.ClientRequests;
import dev.execserver.server.process.denial.DenialScan;
import dev.execserver.server.process.output.EventKind;
import dev.execserver.server.process.output.Exit;
import dev.execserver.server.process.output.LogView;
import dev.execserver.server.process.output.OutputLog;
import dev.execserver.server.process.output.OutputPump;
import dev.execserver.server.process.output.ReadResults;
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
 * and written once for each start, attachment or exit; there is no lock here.
 */
public final class ManagedProcess implements Lifecycle.Listener {

    private volatile StartParams params;
    private final ProcessServices services;
    private final InputMemory memory;
    private final Consumer<ManagedProcess> onClosed;
    private final OutputLog log;
    private final Lifecycle lifecycle;
    private final StdinQueue stdin;
    private final RememberedAnswers answers;
    private final CommandClock clock = new CommandClock();
    private final ClientSide client;
    private final ProcessEnd end;
    private final Instant startedAt = Instant.now();
    private final ExitNotice exitNotice = new ExitNotice();
    private final CommandSpans spans = new CommandSpans();
    private final ProcessTrail trail;
    private final SessionGroup group;
    private volatile StartedProgram program;
    private volatile boolean signaled;
    private volatile OptionalLong usedCpuMs = OptionalLong.empty();

    /**
     * Reserves server memory for the process's record; {@link #failed} and the {@linkplain ProcessEnd end} free it.
     *
     * @param onClosed called when the last event is in the log, by the thread that added it
     * @param client sends requests to the client of the session
     * @param answers of that client about programs, for all processes of the session
     * @param trail gets the decisions about its programs and its network
     * @param group around the commands of its session
     * @throws RpcException -32603 with {@code data.reason = "inputMemory"}
     */
    public ManagedProcess(
            StartParams params,
            ProcessServices services,
            Consumer<ManagedProcess> onClosed,
            ClientRequests client,
            RememberedAnswers answers,
            ProcessTrail trail,
            SessionGroup group) {
        this.trail = trail;
        this.group = group;
        this.params = params;
        this.services = services;
        this.memory = new InputMemory(services.streams().input());
        memory.reserve(RecordSize.bytes(params), "process " + params.processId());
        this.onClosed = onClosed;
        this.log =
                new OutputLog(services.streams().retention(), params.options().push(), params.tty(), services.files());
        this.lifecycle = new Lifecycle(log, this, clock);
        this.stdin = new StdinQueue(
                params.processId(),
                params.tty() || params.pipeStdin(),
                params.tty(),
                services.streams().stdinQueueBytes(),
                memory,
                services.streams().buffers());
        this.answers = answers;
        this.client = new ClientSide(log, services, client, trail);
        this.end = new ProcessEnd(() -> Optional.ofNullable(program), lifecycle, log, this.client, memory, services);
    }

    public String processId() {
        return params.processId();
    }

    public StartParams params() {
        return params;
    }

    /** Replaces the params before the start by more complete ones of the same process. */
    public void complete(StartParams completed) {
        params = completed;
    }

    /** The control group around the commands of its session. */
    public SessionGroup group() {
        return group;
    }

    /** Its links to the client of the session. */
    public ClientSide client() {
        return client;
    }

    /** The ways to end it. */
    public ProcessEnd end() {
        return end;
    }

    public Lifecycle lifecycle() {
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
    public Optional<CommandExecs> openExecs(ExecStyle style) {
        Optional<ExecPolicyParams> policy = params.options().execPolicy();
        if (!services.limiting().execs().wanted(policy)) {
            return Optional.empty();
        }
        CommandExecs opened =
                services.limiting().execs().open(processId(), policy, client.approvals(), clock, answers, trail, style);
        memory.reserve(opened.bytes(), "rules of process " + processId());
        return Optional.of(opened);
    }

    // ---- start

    /** Starts the pumps and the exit watcher of the running program. Events are pushed only after {@link ClientSide#attach}. */
    public void running(Child spawned, Optional<PtyPair> pty, Optional<CommandLimits> limits) {
        ExitWork work = new ExitWork(services, processId(), Optional.empty(), limits);
        running(
                new StartedProgram(
                        spawned, pty, Optional.empty(), services.spawning().tree()),
                Optional.empty(),
                work);
    }

    /** Called when the program runs in a sandbox; otherwise as above. */
    public void running(SandboxRun run, Optional<PtyPair> pty, DenialScan scan, Optional<CommandLimits> limits) {
        ExitWork work = new ExitWork(services, processId(), Optional.of(run), limits);
        running(
                new StartedProgram(
                        run.child(), pty, Optional.of(run), services.spawning().tree()),
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
        spans.running(processId(), spawned.pid());
        lifecycle.running(pumps, scan);
        spawned.stdin().ifPresent(stdin::connect);
        pumps.forEach(pump -> Threads.virtual("pump", pump));
        Threads.virtual("exit", () -> watchExit(started, work));
        if (lifecycle.cancelled()) {
            end.killTree(); // before threads that wait for this start go on: a server that stops closes the spawner
        }
        lifecycle.startComplete();
        Deadlines.watch(this);
    }

    private OutputPump pump(AsyncFd fd, EventKind kind) {
        return new OutputPump(fd, kind, services.streams().buffers(), log, lifecycle);
    }

    private void watchExit(StartedProgram ended, ExitWork work) {
        ExitStatus exit = ended.child().awaitExit();
        int code = ended.exitCode(exit);
        signaled = exit.signaled();
        stdin.shut();
        ExitDetails details = work.finish(exit)
                .withDenial(code == 0 ? Optional.empty() : client.network().lastDenial())
                .withObserved(client.network().observed());
        usedCpuMs = work.cpuMs(exit);
        spans.exited(code);
        if (work.outOfMemory()) {
            lifecycle.endBecause("memory");
        }
        lifecycle.reaped(code, services.dialect().open() ? details : ExitDetails.NONE);
        work.release();
    }

    /** Returns true if a signal has ended the program. False as well where only the sandbox around it has seen that. */
    public boolean signaled() {
        return signaled;
    }

    /** Called when the start has failed. Requests that waited for it learn that there is no such process. */
    public void failed() {
        stdin.shut();
        end.free();
        lifecycle.failed();
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

    /** Waits until a write of this many bytes fits. Returns false if nothing is read any more. */
    public boolean awaitStdinRoom(int bytes) throws InterruptedException {
        return stdin.awaitRoom(bytes);
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
                startedAt.toEpochMilli(),
                OptionalLong.of(lifecycle.outputBytes()),
                OptionalLong.empty());
    }

    /** The output as observers see it: who looks takes nothing, delivers nothing and holds nothing up. */
    public LogView observed() {
        return log.view();
    }

    /** Returns the processor time that it has used, if it has exited and that is known. */
    public OptionalLong usedCpuMs() {
        return usedCpuMs;
    }

    /** Returns the milliseconds since its last output or its start; the clock of its time limits counts. */
    public long silentMs() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanos() - lifecycle.lastOutputNanos());
    }

    /** Returns the pid of the program itself, also in a sandbox; empty if it does not run. */
    public Optional<Integer> programPid() {
        return Optional.ofNullable(program).flatMap(StartedProgram::commandPid);
    }

    /** Attaches a thread of the server that reads the output to its end and hands it on itself. */
    public void readByServer() {
        client.readByServer();
    }

    /** Returns the reason why its output was given up; empty if it ended by itself. */
    public Optional<String> closeReason() {
        return log.closeReason();
    }

    // ---- events of its life

    @Override
    public void outputAdded() {
        client.announce();
    }

    @Override
    public void eventsAdded() {
        client.push();
    }

    /** Sets the listener that learns of the exit. It must not wait. */
    public void whenExited(Consumer<ExitFacts> listener) {
        exitNotice.to(listener);
    }

    private ExitFacts exitFacts() {
        Exit exit = log.exit().orElseThrow();
        return new ExitFacts(
                processId(),
                OptionalLong.of(program.child().pid()),
                exit.code(),
                exit.reason(),
                exit.denied(),
                exit.details(),
                lifecycle.outputBytes(),
                Duration.between(startedAt, Instant.now()));
    }

    @Override
    public void exited() {
        exitNotice.tell(this::exitFacts);
        end.leaderGone();
        Deadlines.closeAfterGrace(this);
    }

    @Override
    public void closed() {
        spans.closed();
        exitNotice.tell(this::exitFacts);
        end.leaderGone();
        client.network().closeWith(() -> program.anyAlive(), services.timers());
        onClosed.accept(this);
    }
}
