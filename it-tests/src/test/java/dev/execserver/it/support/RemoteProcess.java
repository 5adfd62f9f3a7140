package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A process that the server runs for one client: methods to control it, and its notifications. */
public final class RemoteProcess {
    private final WireClient client;
    private final String id;
    private final Call start;
    private final ProcessEvents events;
    private int writes;

    RemoteProcess(WireClient client, String id, Call start) {
        this.client = client;
        this.id = id;
        this.start = start;
        this.events = client.events(id);
    }

    public String id() {
        return id;
    }

    public Answer started() {
        return start.answer();
    }

    public ProcessEvents events() {
        return events;
    }

    public Event exited() {
        return exited(Call.LIMIT);
    }

    public Event exited(Duration limit) {
        return awaited(events.exited(), limit, "process/exited");
    }

    public Event closed() {
        return closed(Call.LIMIT);
    }

    public Event closed(Duration limit) {
        return awaited(events.closed(), limit, "process/closed");
    }

    private Event awaited(CompletableFuture<Event> event, Duration limit, String what) {
        try {
            return Call.get(event, limit, what);
        } catch (AssertionError e) {
            String text = text();
            throw new AssertionError(
                    "%s: %s; heard %d notifications, output ends with <%s>"
                            .formatted(
                                    id,
                                    e.getMessage(),
                                    events.all().size(),
                                    text.substring(Math.max(0, text.length() - 200))),
                    e);
        }
    }

    public boolean isExited() {
        return events.exited().isDone();
    }

    public boolean isClosed() {
        return events.closed().isDone();
    }

    public String text() {
        return new String(events.output(), UTF_8);
    }

    /** Waits until the output contains the text. */
    public String awaitText(String expected) {
        return await("output with " + expected)
                .atMost(Call.LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(this::text, text -> text.contains(expected));
    }

    public Call send(String method, Object... members) {
        var params = Json.object(members);
        params.put("processId", id);
        return client.send(method, params);
    }

    public Call sendWrite(byte[] chunk) {
        return send("process/write", "chunk", Json.base64(chunk), "writeId", "w-" + ++writes);
    }

    /** Writes the text and returns the status. */
    public String write(String text) {
        return sendWrite(text.getBytes(UTF_8)).result().get("status").textValue();
    }

    public Call sendRead(long afterSeq, Integer maxBytes, int waitMs) {
        return send("process/read", "afterSeq", afterSeq, "maxBytes", maxBytes, "waitMs", waitMs);
    }

    public JsonNode read() {
        return sendRead(0, null, 0).result();
    }

    /** Returns the bytes of all chunks of a read answer. */
    public static byte[] bytes(JsonNode read) {
        var joined = new java.io.ByteArrayOutputStream();
        read.get("chunks").forEach(chunk -> joined.writeBytes(Json.bytes(chunk.get("chunk"))));
        return joined.toByteArray();
    }

    /** Terminates the process and returns {@code running}. */
    public boolean terminate() {
        return send("process/terminate").result().get("running").booleanValue();
    }

    public Answer signal(String name) {
        return send("process/signal", "signal", name).answer();
    }

    public JsonNode closeStdin() {
        return send("process/closeStdin").result();
    }

    @Override
    public String toString() {
        return id;
    }
}
