package dev.execserver.it.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plays the client's half of one recorded conversation and compares the server's: shape, order of members, codes, fixed
 * texts, order of {@code seq}. Chunk borders and times are free. All other intended differences are in {@link #DEVIATIONS}.
 */
public final class TranscriptReplay {
    /**
     * An answer that the server promises instead of the recorded one.
     *
     * @param file number of the transcript
     * @param place {@code answer N}, {@code exited ID} or {@code event}
     * @param why the promise
     * @param ours the message expected in place of the recorded one
     */
    private record Deviation(String file, String place, String why, JsonNode ours) {}

    private static final List<Deviation> DEVIATIONS = List.of(
            ours(
                    "03",
                    "answer 10",
                    "a write after the exit is a status, not an error",
                    "{'id':10,'result':{'status':'stdinClosed'}}"),
            ours(
                    "04",
                    "exited pty",
                    "death by signal N is 128+N on a terminal too",
                    "{'processId':'pty','seq':4,'exitCode':130,'sandboxDenied':false}"),
            ours(
                    "09",
                    "answer 3",
                    "the long poll delays nothing: the terminate behind it ends the process, and with it the poll",
                    "{'id':3,'result':{'chunks':[],'nextSeq':'*','exited':true,'exitCode':137,'closed':'*','failure':null,"
                            + "'sandboxDenied':false}}"),
            ours(
                    "10",
                    "answer 10",
                    "size and times of a directory are facts of the machine, createdAtMs may be real",
                    "{'id':10,'result':{'isDirectory':true,'isFile':false,'isSymlink':false,'size':'*','createdAtMs':'*',"
                            + "'modifiedAtMs':'*'}}"),
            ours(
                    "14",
                    "event",
                    "an unknown notification gets the -1 error and the connection stays",
                    "{'error':{'code':-32600,'message':'*'},'id':-1}"));

    /** Answers that overtake a recorded order: {file, earlier id, later id}. */
    private static final List<List<String>> OVERTAKING = List.of(
            List.of("09", "4", "3"), List.of("09", "5", "3"), List.of("10", "9", "3"), List.of("10", "10", "3"));

    /** Members that only the open dialect has. */
    private static final Set<String> ADDITIVE = Set.of("features", "firstSeq", "droppedBytes", "usage");

    /** Transcripts that need only a server. */
    public static final List<String> TRANSCRIPTS = List.of(
            "01-handshake",
            "02-exec-basic",
            "03-exec-stdin-write-dedupe",
            "04-exec-pty-signal-terminate",
            "09-inline-dispatch-blocks",
            "10-concurrent-requests",
            "14-envelope-edge-cases");

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Transcript transcript;
    private final WireClient client;
    private final MessageComparison likeness;
    private final Map<String, Call> calls = new HashMap<>();
    private final Map<String, String> methods = new HashMap<>();
    private final Map<String, Long> arrivals = new HashMap<>();
    private final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();
    private final Map<String, Integer> chunks = new HashMap<>();

    /** @param open true if the server may answer more than was recorded */
    public TranscriptReplay(String name, WireClient client, boolean open) {
        this(Transcript.load(name), client, open);
    }

    /** Replays an edited recording. */
    public TranscriptReplay(Transcript transcript, WireClient client, boolean open) {
        this.transcript = transcript;
        this.client = client;
        this.likeness = new MessageComparison(open ? ADDITIVE : Set.of());
    }

    public void run() {
        for (Transcript.Line line : transcript.lines()) {
            if (line.fromClient()) {
                send(line);
            } else if (line.event()) {
                compare(line, deviation("event", line.message()), client.nextStray());
            } else if (line.message().has("method")) {
                notified(
                        line,
                        line.message().get("method").textValue(),
                        line.message().get("params"));
            } else {
                answered(line);
            }
        }
        client.roundTrip();
        assertThat(client.strayCount()).as("messages that were not recorded").isZero();
        assertThat(client.broken()).isEmpty();
        chunks.keySet()
                .forEach(id -> assertThat(client.events(id).misplaced())
                        .as("order of seq of %s", id)
                        .isZero());
        OVERTAKING.stream()
                .filter(row -> row.getFirst().equals(file()))
                .forEach(row -> assertThat(arrivals.get(row.get(1)))
                        .as("answer %s before answer %s", row.get(1), row.get(2))
                        .isLessThan(arrivals.get(row.get(2))));
    }

    private void send(Transcript.Line line) {
        JsonNode message = line.message();
        if (message.has("id")) {
            calls.put(message.get("id").asText(), client.send(message));
            methods.put(message.get("id").asText(), message.get("method").textValue());
        } else if (message.isObject()) {
            client.sendText(message.toString());
        } else {
            client.frame(true, line.binary() ? RawWebSocket.BINARY : RawWebSocket.TEXT, line.raw());
        }
    }

    private void answered(Transcript.Line line) {
        String id = line.message().get("id").asText();
        JsonNode expected = deviation("answer " + id, line.message());
        // A raw frame may reuse the id of an answered request; its answer is a stray for the client.
        boolean awaited = calls.containsKey(id)
                && arrivals.putIfAbsent(id, calls.get(id).answer().arrival()) == null;
        JsonNode received = awaited ? calls.get(id).answer().message() : client.nextStray();
        if (awaited && methods.get(id).equals("environment/info")) {
            assertThat(likeness.shapeDifference(expected, received)).isEmpty();
        } else {
            compare(line, expected, received);
        }
    }

    private void notified(Transcript.Line line, String method, JsonNode params) {
        String id = params.get("processId").textValue();
        ProcessEvents events = client.events(id);
        if (method.equals("process/output")) {
            chunks.merge(id, 1, Integer::sum);
            output(events, id, params.get("stream").textValue(), Json.bytes(params.get("chunk")));
            return;
        }
        chunks.putIfAbsent(id, 0);
        String kind = method.substring("process/".length());
        List<Event> event = await("line " + line.number())
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> events.of(kind), found -> !found.isEmpty());
        assertThat(event).hasSize(1);
        ObjectNode expected = deviation(kind + " " + id, params).deepCopy();
        if (events.of("output").size() != chunks.get(id)) {
            expected.put("seq", "*");
        }
        compare(line, expected, event.getFirst().params());
    }

    /** Waits for the recorded bytes so far, with any chunk borders. */
    private void output(ProcessEvents events, String id, String stream, byte[] chunk) {
        ByteArrayOutputStream expected = outputs.computeIfAbsent(id + " " + stream, key -> new ByteArrayOutputStream());
        expected.writeBytes(chunk);
        byte[] received = await("output of " + id)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> events.output(stream), bytes -> bytes.length >= expected.size());
        assertThat(Arrays.copyOf(received, expected.size())).isEqualTo(expected.toByteArray());
    }

    private JsonNode deviation(String place, JsonNode recorded) {
        return DEVIATIONS.stream()
                .filter(row -> row.file().equals(file()) && row.place().equals(place))
                .map(Deviation::ours)
                .findFirst()
                .orElse(recorded);
    }

    private String file() {
        return transcript.name().substring(0, 2);
    }

    private void compare(Transcript.Line line, JsonNode expected, JsonNode received) {
        assertThat(likeness.difference(expected, received))
                .as("line %d of %s: %s", line.number(), transcript.name(), received)
                .isEmpty();
    }

    private static Deviation ours(String file, String place, String why, String message) {
        return new Deviation(file, place, why, Json.parse(message.replace('\'', '"')));
    }
}
