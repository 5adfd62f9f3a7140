package dev.execserver.cli.client;

import dev.execserver.cli.client.copy.IncompleteFiles;
import dev.execserver.cli.client.copy.LocalSide;
import dev.execserver.cli.client.copy.Side;
import dev.execserver.client.ConnectionListener;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.StdinClosedException;
import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.client.session.Backlog;
import dev.execserver.client.session.ProcessObserver;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.protocol.session.SessionInfo;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** Server whose behaviour a test sets, and which records its calls. */
final class FakeHost implements RemoteHost, RemoteTask {
    private static final WaitResult KILLED = new WaitResult(
            true, true, OptionalInt.of(137), true, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());

    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<ProcessInfo> processes = new ArrayList<>();
    final List<SessionInfo> sessions = new ArrayList<>();
    final Deque<ProcessObserver.Sight> sights = new ArrayDeque<>();
    final Deque<WaitResult> waits = new ArrayDeque<>();
    final ByteArrayOutputStream stdin = new ByteArrayOutputStream();
    final CountDownLatch stdinEnded = new CountDownLatch(1);
    private final List<ProcessEvent> whenTerminated = new ArrayList<>();
    private final BlockingQueue<Optional<ProcessEvent>> events = new LinkedBlockingQueue<>();

    ServerTarget target;
    RunRequest request;
    ExecApprovals approvals;
    volatile ConnectionListener listener;
    boolean takesNoInput;
    boolean takesEndOfInput = true;
    RequestFailedException refusal;
    ExecServerException noAnswer;

    RemoteHost connect(ServerTarget to) {
        target = to;
        return this;
    }

    /** Delivers these events and then the end. */
    FakeHost with(ProcessEvent... all) {
        Arrays.stream(all).map(Optional::of).forEach(events::add);
        events.add(Optional.empty());
        return this;
    }

    /** Delivers these events when it is terminated. */
    void untilTerminated(ProcessEvent... all) {
        whenTerminated.addAll(List.of(all));
    }

    @Override
    public Optional<String> sessionId() {
        return Optional.of("the-session");
    }

    @Override
    public boolean takesEndOfInput() {
        return takesEndOfInput;
    }

    @Override
    public void approvals(ExecApprovals handler) {
        approvals = handler;
    }

    @Override
    public void connection(ConnectionListener heard) {
        listener = heard;
    }

    @Override
    public RemoteTask start(RunRequest what) {
        request = what;
        if (refusal != null) {
            throw refusal;
        }
        return this;
    }

    @Override
    public RemoteTask attach(String processId) {
        calls.add("attach " + processId);
        return this;
    }

    @Override
    public void end() {
        calls.add("end session");
    }

    @Override
    public List<ProcessInfo> list() {
        return processes;
    }

    @Override
    public List<SessionInfo> sessions() {
        return sessions;
    }

    @Override
    public RemoteSight observe(String sessionId, String processId, Backlog backlog) {
        calls.add("observe " + sessionId + " " + processId + " " + backlog);
        return limit -> sights.remove();
    }

    @Override
    public WaitResult await(WaitParams params) {
        calls.add("await " + params);
        if (noAnswer != null) {
            throw noAnswer;
        }
        return waits.isEmpty() ? KILLED : waits.remove();
    }

    @Override
    public void signal(String processId, String name) {
        calls.add("signal " + processId + " " + name);
    }

    @Override
    public void terminate(String processId, Optional<Duration> grace) {
        calls.add("terminate " + processId + " " + grace.map(Duration::toMillis).orElse(0L));
    }

    @Override
    public Side files(IncompleteFiles leftovers) {
        return new LocalSide(leftovers);
    }

    @Override
    public PathUri path(String text) {
        return PathUri.ofNative(text);
    }

    @Override
    public void close() {
        calls.add("close");
    }

    @Override
    public String id() {
        return "run";
    }

    @Override
    public Optional<ProcessEvent> nextEvent() throws InterruptedException {
        return events.take();
    }

    @Override
    public void write(byte[] bytes) {
        if (takesNoInput) {
            stdinEnded.countDown();
            throw new StdinClosedException("run", "stdinClosed");
        }
        stdin.writeBytes(bytes);
    }

    @Override
    public void closeStdin() {
        calls.add("closeStdin");
        stdinEnded.countDown();
    }

    @Override
    public void resize(WindowSize size) {
        calls.add("resize " + size.columns() + "x" + size.rows());
    }

    @Override
    public void signal(String name) {
        calls.add("signal " + name);
    }

    @Override
    public void terminate() {
        calls.add("terminate");
        if (!whenTerminated.isEmpty()) {
            with(whenTerminated.toArray(ProcessEvent[]::new));
        }
    }

    @Override
    public void detach() {
        calls.add("detach");
        events.add(Optional.of(new ProcessEvent.Lost("detached")));
        events.add(Optional.empty());
    }
}
