package dev.execserver.it.support;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Notifications of one process in order of arrival. Written by the connection's reader thread, guarded by the monitor. */
public final class ProcessEvents {
    private final List<Event> events = new ArrayList<>();
    private final CompletableFuture<Event> exited = new CompletableFuture<>();
    private final CompletableFuture<Event> closed = new CompletableFuture<>();
    private long bytes;
    private long lastSeq;
    private long misplaced;

    void add(String method, JsonNode params, boolean keep, long arrival) {
        String kind = method.substring("process/".length());
        byte[] data = kind.equals("output") ? Json.bytes(params.get("chunk")) : new byte[0];
        Event event = new Event(
                kind,
                params.path("seq").asLong(-1),
                keep ? params : Json.object(),
                keep ? data : new byte[0],
                data.length,
                arrival,
                System.nanoTime());
        synchronized (this) {
            if (event.seq() != lastSeq + 1) {
                misplaced++;
            }
            lastSeq = event.seq();
            bytes += data.length;
            if (keep || !kind.equals("output")) {
                events.add(event);
            }
        }
        if (kind.equals("exited")) {
            exited.complete(event);
        } else if (kind.equals("closed")) {
            closed.complete(event);
        }
    }

    CompletableFuture<Event> exited() {
        return exited;
    }

    CompletableFuture<Event> closed() {
        return closed;
    }

    public synchronized List<Event> all() {
        return List.copyOf(events);
    }

    public synchronized List<Event> of(String kind) {
        return events.stream().filter(event -> event.kind().equals(kind)).toList();
    }

    public synchronized long bytes() {
        return bytes;
    }

    /** Returns the number of notifications whose seq did not follow the previous one; 0 means in order and without gaps. */
    public synchronized long misplaced() {
        return misplaced;
    }

    public byte[] output() {
        return output(event -> true);
    }

    public byte[] output(String stream) {
        return output(event -> event.stream().equals(stream));
    }

    private synchronized byte[] output(Predicate<Event> wanted) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        events.stream().filter(wanted).forEach(event -> joined.writeBytes(event.data()));
        return joined.toByteArray();
    }
}
