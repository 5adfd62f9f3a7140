package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A client of the app-server dialect, over a WebSocket or the standard streams of a server of its own. A daemon thread
 * collects all messages in the order of their arrival; the test's thread does the rest.
 */
public final class AppClient implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final List<JsonNode> received = new ArrayList<>();
    private final Consumer<String> sender;
    private final Runnable closer;
    private final Semaphore reading = new Semaphore(1);
    private int nextId;

    private AppClient(Consumer<String> sender, Runnable closer) {
        this.sender = sender;
        this.closer = closer;
    }

    /** Connects without a handshake. */
    public static AppClient connect(int port) {
        return connect(port, Map.of());
    }

    /** Does the same with more headers in the upgrade. */
    public static AppClient connect(int port, Map<String, String> headers) {
        try {
            RawWebSocket socket = RawWebSocket.connect(port, headers);
            AppClient client = new AppClient(text -> send(socket, text), () -> close(socket));
            Thread.ofPlatform().daemon().name("app-reader").start(() -> client.readFrames(socket));
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Becomes the client of a server that serves its standard streams. */
    public static AppClient over(ServerProcess server) {
        AppClient client = new AppClient(text -> sendLine(server, text), server::close);
        Thread.ofPlatform().daemon().name("app-reader").start(() -> client.readLines(server));
        return client;
    }

    private static void send(RawWebSocket socket, String text) {
        try {
            socket.send(true, RawWebSocket.TEXT, text.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sendLine(ServerProcess server, String text) {
        try {
            server.toServer().write((text + "\n").getBytes(UTF_8));
            server.toServer().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(RawWebSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readFrames(RawWebSocket socket) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        try {
            while (true) {
                RawWebSocket.Frame frame = socket.read();
                reading.acquireUninterruptibly();
                reading.release();
                if (frame.opcode() == RawWebSocket.PING) {
                    socket.send(true, RawWebSocket.PONG, frame.payload());
                } else if (frame.opcode() == RawWebSocket.TEXT || frame.opcode() == RawWebSocket.CONTINUATION) {
                    message.writeBytes(frame.payload());
                    if (frame.fin()) {
                        add(message.toString(UTF_8));
                        message.reset();
                    }
                }
            }
        } catch (IOException ended) {
            // the test notices that nothing more comes
        }
    }

    private void readLines(ServerProcess server) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(server.fromServer(), UTF_8))) {
            lines.lines().forEach(this::add);
        } catch (IOException | UncheckedIOException ended) {
            // the test notices that nothing more comes
        }
    }

    private void add(String text) {
        synchronized (received) {
            received.add(Json.parse(text));
        }
    }

    /** Stops taking messages from the socket; {@link #resumeReading} goes on. */
    public void stopReading() {
        reading.acquireUninterruptibly();
    }

    public void resumeReading() {
        reading.release();
    }

    public AppClient handshake(boolean experimental, String... unwanted) {
        call(
                "initialize",
                Json.object(
                        "clientInfo",
                        Json.object("name", "it-tests", "version", "1"),
                        "capabilities",
                        Json.object("experimentalApi", experimental, "optOutNotificationMethods", List.of(unwanted))));
        sendText("{\"method\":\"initialized\"}");
        return this;
    }

    public void sendText(String text) {
        sender.accept(text);
    }

    /** Sends a request and returns its id. */
    public int send(String method, Object... members) {
        return sendParams(method, Json.object(members));
    }

    public int sendParams(String method, JsonNode params) {
        int id = ++nextId;
        ObjectNode message = Json.object("id", id, "method", method);
        message.set("params", params);
        sendText(message.toString());
        return id;
    }

    /** Sends a request and returns the whole answer. */
    public JsonNode call(String method, Object... members) {
        return answer(send(method, members));
    }

    private JsonNode call(String method, ObjectNode params) {
        return answer(sendParams(method, params));
    }

    /** Waits for the answer with this id. */
    public JsonNode answer(int id) {
        return message(message -> !message.has("method") && message.path("id").asInt(-1) == id);
    }

    /** Waits for the first such message. */
    public JsonNode message(Predicate<JsonNode> wanted) {
        return await("a message of the server")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> find(wanted), Optional::isPresent)
                .orElseThrow();
    }

    public Optional<JsonNode> find(Predicate<JsonNode> wanted) {
        return all().stream().filter(wanted).findFirst();
    }

    /** Returns all messages that have come, in order. */
    public List<JsonNode> all() {
        synchronized (received) {
            return List.copyOf(received);
        }
    }

    /** Returns the params of the output notifications of a command. */
    public List<JsonNode> deltas(String id, String stream) {
        return all().stream()
                .filter(message -> message.path("method").asText().endsWith("/outputDelta"))
                .map(message -> message.get("params"))
                .filter(params -> id.equals(params.path("processId").asText(null))
                        || id.equals(params.path("processHandle").asText(null)))
                .filter(params -> params.path("stream").asText().equals(stream))
                .toList();
    }

    /** Returns the output that has been streamed, as text. */
    public String output(String id, String stream) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        deltas(id, stream).forEach(params -> bytes.writeBytes(Json.bytes(params.get("deltaBase64"))));
        return bytes.toString(UTF_8);
    }

    /** Waits until the streamed output contains this text. */
    public void awaitOutput(String id, String text) {
        await("output of " + id)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> output(id, "stdout").contains(text));
    }

    @Override
    public void close() {
        closer.run();
    }
}
