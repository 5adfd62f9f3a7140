package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A JSON-RPC client over {@link RawWebSocket}. One daemon reader thread matches answers by id, sorts notifications by process
 * and puts everything else (errors with id -1, answers to unknown ids) into {@link #nextStray}. Any thread may send.
 */
public final class WireClient implements AutoCloseable {
    /** Messages of a connection that are compared with the schema; further ones are of the same kinds. */
    private static final long CHECKED = 500;

    private final RawWebSocket socket;
    private final Map<String, Call> pending = new ConcurrentHashMap<>();
    private final Map<String, ProcessEvents> processes = new ConcurrentHashMap<>();
    private final BlockingQueue<JsonNode> strays = new LinkedBlockingQueue<>();
    private final BlockingQueue<JsonNode> network = new LinkedBlockingQueue<>();
    private final Queue<String> unlikeSchema = new ConcurrentLinkedQueue<>();
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Ending> ended = new CompletableFuture<>();
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicInteger pings = new AtomicInteger();
    private final Semaphore readPermit = new Semaphore(1);
    private volatile boolean answersPings = true;
    private volatile boolean keepsOutput = true;
    private long arrivals;
    private Ending ending = new Ending(1006, "");

    /** Close code and reason of a connection; 1006 without a close frame. */
    public record Ending(int code, String reason) {}

    private WireClient(RawWebSocket socket) {
        this.socket = socket;
        Thread.ofPlatform().daemon().name("wire-reader").start(this::readLoop);
    }

    /** Makes an upgraded connection that has sent nothing. */
    public static WireClient connect(int port) {
        return connect(port, Map.of());
    }

    public static WireClient connect(int port, Map<String, String> headers) {
        try {
            return new WireClient(RawWebSocket.connect(port, headers));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends initialize and initialized; returns the result. */
    public JsonNode handshake() {
        JsonNode result =
                send("initialize", Json.object("clientName", "it-tests")).result();
        notify("initialized", Json.object());
        return result;
    }

    public Call send(String method, JsonNode params) {
        ObjectNode message = Json.object("id", nextId.incrementAndGet(), "method", method);
        if (!params.isNull()) {
            message.set("params", params);
        }
        return send(message);
    }

    /** Sends a whole request as given and waits for an answer with its id. */
    public Call send(JsonNode request) {
        return send(request, new Call(request));
    }

    /** Does the same for an answer that is not the server's own, and so not as the schema says. */
    public Call sendForAnything(String method, JsonNode params) {
        JsonNode request = Json.object("id", nextId.incrementAndGet(), "method", method, "params", params);
        return send(request, new Call(request, false));
    }

    private Call send(JsonNode request, Call call) {
        pending.put(request.get("id").toString(), call);
        if (ended.isDone()) {
            call.fail(new IOException("connection has ended: " + ended.join()));
        }
        sendText(request.toString());
        return call;
    }

    public Answer call(String method, Object... members) {
        return send(method, Json.object(members)).answer();
    }

    public void notify(String method, JsonNode params) {
        sendText(Json.object("method", method, "params", params).toString());
    }

    public void sendText(String text) {
        frame(true, RawWebSocket.TEXT, text.getBytes(UTF_8));
    }

    public void sendBinary(byte[] payload) {
        frame(true, RawWebSocket.BINARY, payload);
    }

    /** Sends one text message cut into frames of at most this size. */
    public void sendFragmented(byte[] payload, int frameSize) {
        for (int at = 0; at < payload.length; at += frameSize) {
            int end = Math.min(payload.length, at + frameSize);
            frame(
                    end == payload.length,
                    at == 0 ? RawWebSocket.TEXT : RawWebSocket.CONTINUATION,
                    java.util.Arrays.copyOfRange(payload, at, end));
        }
    }

    public void frame(boolean fin, int opcode, byte[] payload) {
        try {
            socket.send(fin, opcode, payload);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RawWebSocket socket() {
        return socket;
    }

    public RemoteProcess start(Start start) {
        RemoteProcess process = sendStart(start);
        process.started().result();
        return process;
    }

    public RemoteProcess sendStart(Start start) {
        return new RemoteProcess(this, start.id(), send("process/start", start.params()));
    }

    public ProcessEvents events(String processId) {
        return processes.computeIfAbsent(processId, id -> new ProcessEvents());
    }

    /** Returns the next message that answers no request of this client. */
    public JsonNode nextStray() {
        return next(strays);
    }

    /** Returns the next {@code network/policyRequest} or {@code network/policyDecision}. */
    public JsonNode nextNetwork() {
        return next(network);
    }

    /** Answers a request of the server with this result. */
    public void answer(JsonNode request, JsonNode result) {
        sendText(Json.object("id", request.get("id").longValue(), "result", result)
                .toString());
    }

    private JsonNode next(BlockingQueue<JsonNode> queue) {
        try {
            JsonNode message = queue.poll(Call.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (message == null) {
                throw new AssertionError("no further message within " + Call.LIMIT + ", ended: " + ended.getNow(null));
            }
            return message;
        } catch (InterruptedException e) {
            throw ServerProcess.interrupted(e);
        }
    }

    public int strayCount() {
        return strays.size();
    }

    /** Returns messages that were not JSON. */
    public Queue<String> broken() {
        return broken;
    }

    public int pings() {
        return pings.get();
    }

    public WireClient ignorePings() {
        answersPings = false;
        return this;
    }

    /** From now on counts outputs and checks their order, without keeping them. */
    public WireClient countOnly() {
        keepsOutput = false;
        return this;
    }

    /** Stops reading from the socket; the frame that is being read still arrives. */
    public void stopReading() {
        readPermit.acquireUninterruptibly();
    }

    public void resumeReading() {
        readPermit.release();
    }

    public Ending ending(Duration limit) {
        return Call.get(ended, limit, "end of the connection");
    }

    public boolean open() {
        return !ended.isDone();
    }

    /** Sends a cheap request whose answer is always the same. Returns its time. */
    public Duration roundTrip() {
        Call call = send("environment/status", Json.object());
        call.result();
        return call.took();
    }

    /** Fails if not even a cheap request is answered: a test for hanging, not for speed. */
    public void assertServed() {
        roundTrip();
    }

    public void cut() {
        try {
            socket.reset();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails if a message of the server was not as the schema says. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!unlikeSchema.isEmpty()) {
            throw new AssertionError("not as in docs/schema/exec.json: " + unlikeSchema);
        }
    }

    private void readLoop() {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        try {
            while (true) {
                RawWebSocket.Frame frame = socket.read();
                readPermit.acquireUninterruptibly();
                readPermit.release();
                switch (frame.opcode()) {
                    case RawWebSocket.PING -> pinged(frame.payload());
                    case RawWebSocket.PONG -> strays.add(Json.object("pong", new String(frame.payload(), UTF_8)));
                    case RawWebSocket.CLOSE -> closing(frame.payload());
                    default -> {
                        message.writeBytes(frame.payload());
                        if (frame.fin()) {
                            received(message.toByteArray());
                            message.reset();
                        }
                    }
                }
            }
        } catch (IOException e) {
            ended.complete(ending);
            pending.values().forEach(call -> call.fail(e));
        }
    }

    private void pinged(byte[] payload) throws IOException {
        pings.incrementAndGet();
        if (answersPings) {
            socket.send(true, RawWebSocket.PONG, payload);
        }
    }

    private void closing(byte[] payload) throws IOException {
        if (payload.length >= 2) {
            ending = new Ending(
                    ByteBuffer.wrap(payload).getShort() & 0xffff, new String(payload, 2, payload.length - 2, UTF_8));
        } else {
            ending = new Ending(1005, "");
        }
        if (answersPings) {
            socket.send(true, RawWebSocket.CLOSE, payload);
        }
    }

    private void received(byte[] text) {
        long arrival = arrivals++;
        JsonNode message;
        try {
            message = Json.parse(text);
        } catch (UncheckedIOException e) {
            broken.add(e.getMessage());
            return;
        }
        Call call = message.has("id") && !message.has("method")
                ? pending.remove(message.get("id").toString())
                : null;
        if (call != null) {
            call.complete(new Answer(message, arrival, System.nanoTime()), message);
            return;
        }
        if (arrival < CHECKED) {
            unlikeSchema.addAll(MessageSchema.EXEC.unasked(message));
        }
        if (message.path("method").asText().startsWith("network/")) {
            network.add(message);
        } else if (message.path("method").asText().startsWith("process/")) {
            JsonNode params = message.get("params");
            events(params.get("processId").textValue())
                    .add(message.get("method").textValue(), params, keepsOutput, arrival);
        } else {
            strays.add(message);
        }
    }
}
