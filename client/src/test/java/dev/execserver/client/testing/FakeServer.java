package dev.execserver.client.testing;

import dev.execserver.client.transport.ClientTransport;
import dev.execserver.client.transport.Connector;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.SandboxType;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.StartResult;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.process.TerminateResult;
import dev.execserver.protocol.process.WriteParams;
import dev.execserver.protocol.process.WriteResult;
import dev.execserver.protocol.process.WriteStatus;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonRpcMessage;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Small server in memory that behaves as in the transcripts of an era. Tests cut its connections, suppress answers and
 * read its log of requests. Thread-safe: everything runs under its monitor, and nothing waits there.
 */
public final class FakeServer implements Connector {

    private record Poll(FakeTransport transport, Request request, ReadParams params) {}

    private final Era era;
    private final List<String> features;
    private final Map<String, FakeProcess> processes = new HashMap<>();
    private final FakeFiles files = new FakeFiles();
    private final Map<String, StringBuilder> stdin = new HashMap<>();
    private final Set<String> writeIds = new HashSet<>();
    private final Set<String> polledOnly = new HashSet<>();
    private final List<Poll> polls = new ArrayList<>();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Map<String, Consumer<JsonSlice>> hooks = new HashMap<>();
    private final Map<String, RpcException> failures = new HashMap<>();
    private final Map<String, Integer> padding = new HashMap<>();
    private final Map<String, Deque<JsonWritable>> answers = new HashMap<>();
    private FakeTransport current;
    private int connections;
    private int refusals;
    private int refused;
    private int busy;
    private String sessionId = "SESSION_1";
    private boolean mute;

    public FakeServer(Era era, String... features) {
        this.era = era;
        this.features = List.of(features);
    }

    // Actions of tests

    /** Ends the connection. */
    public synchronized void cut() {
        cut(null);
    }

    public synchronized void cut(String closeReason) {
        if (current != null) {
            FakeTransport lost = current;
            current = null;
            lost.cut(closeReason);
        }
    }

    /** Ends the connection and runs the work before there can be another connection. */
    public synchronized void cutFor(Runnable meanwhile) {
        cut();
        meanwhile.run();
    }

    /** Refuses this many of the next connections. */
    public synchronized void refuse(int count) {
        refusals = count;
    }

    /** Reports the session as attached to this many of the next resumes. */
    public synchronized void busy(int count) {
        busy = count;
    }

    /** Simulates a restart: the server knows no session any more. */
    public synchronized void forgetSessions() {
        sessionId = "SESSION_2";
    }

    /** Sets if requests are carried out but not answered. */
    public synchronized void mute(boolean value) {
        mute = value;
    }

    public synchronized void file(String path, byte[] content) {
        files.put(path, content);
    }

    /** Sets work that runs once, before the next request of this method is carried out. */
    public synchronized void before(String method, Consumer<JsonSlice> hook) {
        hooks.put(method, hook);
    }

    /** Makes the next request of this method fail. */
    public synchronized void failNext(String method, RpcException failure) {
        failures.put(method, failure);
    }

    /** Gives the next requests of this method these answers, one after the other. */
    public synchronized void answerNext(String method, JsonWritable... results) {
        answers.put(method, new ArrayDeque<>(List.of(results)));
    }

    /** The next answer to this method is made so long, in bytes, by blanks behind it. */
    public synchronized void padNext(String method, int messageBytes) {
        padding.put(method, messageBytes);
    }

    public synchronized void output(String processId, StreamKind stream, String text) {
        happened(processId, processes.get(processId).output(stream, text));
    }

    public synchronized void exit(String processId, int code, boolean denied) {
        happened(processId, processes.get(processId).exit(code, denied));
    }

    public synchronized void close(String processId) {
        happened(processId, processes.get(processId).close());
    }

    public synchronized void keep(String processId, int chunks) {
        processes.get(processId).keep(chunks);
    }

    public synchronized void push(String method, JsonWritable params) {
        MessageBuffer message = new MessageBuffer();
        MessageEncoder.notification(message, method, params);
        deliver(message);
    }

    /** Sends a request to the client. */
    public synchronized void ask(long id, String method) {
        MessageBuffer message = new MessageBuffer();
        MessageEncoder.request(message, RequestId.of(id), method, JsonWritable.EMPTY_OBJECT);
        deliver(message);
    }

    // Observations of tests

    /** Returns the methods with their params in the order of arrival: {@code process/write {...}}. */
    public List<String> log() {
        return List.copyOf(log);
    }

    public synchronized String stdin(String processId) {
        return stdin.getOrDefault(processId, new StringBuilder()).toString();
    }

    public synchronized byte[] file(String path) {
        return files.get(path);
    }

    public synchronized int connections() {
        return connections;
    }

    /** Returns the number of refused connections. */
    public synchronized int refused() {
        return refused;
    }

    // Server side

    @Override
    public synchronized ClientTransport open(Duration limit) throws IOException {
        if (refusals > 0) {
            refusals--;
            refused++;
            throw new IOException("Connection refused");
        }
        connections++;
        FakeTransport[] self = new FakeTransport[1];
        self[0] = new FakeTransport(message -> receive(self[0], message));
        return self[0];
    }

    @Override
    public boolean reconnectable() {
        return true;
    }

    private synchronized void receive(FakeTransport transport, JsonRpcMessage message) {
        switch (message) {
            case Notification notification -> log.add(notification.method());
            case Request request -> {
                log.add(request.method() + " " + request.params());
                answer(transport, request);
            }
            default -> log.add(message.toString());
        }
    }

    private void answer(FakeTransport transport, Request request) {
        Consumer<JsonSlice> hook = hooks.remove(request.method());
        if (hook != null) {
            hook.accept(request.params());
        }
        MessageBuffer message = new MessageBuffer();
        try {
            RpcException failure = failures.remove(request.method());
            if (failure != null) {
                throw failure;
            }
            JsonWritable result = carryOut(transport, request);
            if (result == null) {
                return;
            }
            MessageEncoder.response(message, request.id(), result);
            int wanted = Optional.ofNullable(padding.remove(request.method())).orElse(0);
            while (message.length() < wanted) {
                message.write(' ');
            }
        } catch (RpcException e) {
            MessageEncoder.error(message, request.id(), e);
        }
        if (!mute) {
            transport.deliver(message);
        }
    }

    private JsonWritable carryOut(FakeTransport transport, Request request) {
        Deque<JsonWritable> prepared = answers.getOrDefault(request.method(), new ArrayDeque<>());
        if (!prepared.isEmpty()) {
            return prepared.remove();
        }
        return switch (request.method()) {
            case "initialize" -> FakeHandshake.initialize(this, transport, request.params());
            case ProcessMethodNames.START -> start(StartParams.read(request.params(), Dialect.OPEN));
            case ProcessMethodNames.WRITE -> write(WriteParams.read(request.params(), Dialect.OPEN));
            case ProcessMethodNames.READ -> read(transport, request);
            case ProcessMethodNames.TERMINATE -> new TerminateResult(true);
            case ProcessMethodNames.SIGNAL, ProcessMethodNames.RESIZE -> JsonWritable.EMPTY_OBJECT;
            case ProcessMethodNames.CLOSE_STDIN -> new WriteResult(WriteStatus.ACCEPTED);
            default -> files.carryOut(request);
        };
    }

    private JsonWritable start(StartParams params) {
        processes.put(params.processId(), new FakeProcess(params.processId(), era));
        if (!params.options().push()) {
            polledOnly.add(params.processId());
        }
        return new StartResult(params.processId(), SandboxType.NONE);
    }

    private JsonWritable write(WriteParams params) {
        if (params.writeId().isEmpty() || writeIds.add(params.processId() + params.writeId())) {
            stdin.computeIfAbsent(params.processId(), unused -> new StringBuilder())
                    .append(new String(params.chunk()));
        }
        return new WriteResult(WriteStatus.ACCEPTED);
    }

    private JsonWritable read(FakeTransport transport, Request request) {
        ReadParams params = ReadParams.read(request.params(), Dialect.OPEN);
        FakeProcess process = processes.get(params.processId());
        if (process == null) {
            throw RpcException.invalidRequest("unknown process id " + params.processId());
        }
        if (params.waitMs() > 0 && process.nothingNew(params)) {
            polls.add(new Poll(transport, request, params));
            return null;
        }
        return process.read(params);
    }

    private void happened(String processId, FakeProcess.Pushed event) {
        if (!event.output() || !polledOnly.contains(processId)) {
            push(event.method(), event.params());
        }
        List<Poll> due = polls.stream()
                .filter(poll -> poll.params().processId().equals(processId))
                .toList();
        polls.removeAll(due);
        due.forEach(poll -> answer(poll.transport(), poll.request()));
    }

    private void deliver(MessageBuffer message) {
        if (current != null) {
            current.deliver(message);
        }
    }

    boolean takeBusy() {
        return busy-- > 0;
    }

    void attach(FakeTransport transport) {
        busy = 0;
        current = transport;
    }

    Era era() {
        return era;
    }

    List<String> features() {
        return features;
    }

    String sessionId() {
        return sessionId;
    }
}
